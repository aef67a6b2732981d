// From an empty folder to an export, as a new user.
import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { screenshot } from "./support/browser.mjs";
import { rowsOf } from "./support/faces.mjs";
import { caos } from "./support/program.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import {
  allSaved,
  download,
  drop,
  dropZone,
  goTo,
  introduce,
  placeAll,
  uploaded,
} from "./support/steps.mjs";
import { assertHit, clickOn, drag, imageShown, viewOf } from "./support/viewer.mjs";

const names = ["left_pupil", "right_pupil", "nose_tip"];
const badge = (page, tone) => page.locator(`.guarantee-badge.tone-${tone}`);
const rows = (page) => page.locator(".landmark-list");

scenario("a newcomer comes from an empty folder to an export", async (studio) => {
  const faces = await studio.faces(14, 2);
  const page = await studio.open();
  const project = await createProject(page);
  await addImages(page, faces);
  await importScheme(page, studio.folder);
  await drawSample(page);
  const placed = await labelSample(page, faces);
  await checkPlaced(studio.api, project, placed);
  await checkGuarantee(page, studio.api, project);
  await review(page, studio.api, project);
  await checkExport(page, studio.api, project);
  await checkModel(page, faces, studio.folder);
  await checkBackup(page, studio.api, project, studio.folder);
});

async function createProject(page) {
  await page.getByText("How it works").waitFor();
  await screenshot(page, "newcomer-1-welcome");
  const create = page.getByRole("button", { name: "Create project" });
  const box = await create.boundingBox();
  const { height } = page.viewportSize();
  assert.ok(box.y + box.height <= Math.min(height, 800), "the button is below the fold");
  await page.getByLabel("Name", { exact: true }).fill("Drawn faces");
  await page.getByRole("button", { name: "Create project" }).click();
  await dropZone(page).waitFor();
  return Number(/#\/p\/(\d+)/.exec(page.url())[1]);
}

async function addImages(page, faces) {
  await screenshot(page, "newcomer-2-images");
  await drop(page, dropZone(page), [faces.folder]);
  await uploaded(page, `${faces.files.length} images stored`);
  await eventually(async () => (await page.locator(".image-card").count()) === faces.files.length);
}

async function importScheme(page, folder) {
  const file = join(folder, "scheme.csv");
  const lines = ["image,landmark,x,y", ...names.map((name) => `a.jpg,${name},1,1`)];
  await writeFile(file, `${lines.join("\n")}\n`);
  await goTo(page, "Landmarks");
  await page.getByLabel("From a landmark file").setInputFiles(file);
  await page.getByText("3 landmarks of 3 in the file are new").waitFor();
  assert.equal(await page.getByLabel("Other side of left_pupil").inputValue(), "right_pupil");
  await screenshot(page, "newcomer-3-landmarks");
  // With the longest words in the badge and no name, all tabs are still in sight.
  assert.ok(await page.locator(".tabs").evaluate((tabs) => tabs.scrollWidth <= tabs.clientWidth));
  await page.locator(".connection", { hasText: "landmarks not saved" }).waitFor();
  await page.getByRole("button", { name: "Save 3 landmarks" }).click();
  await page.getByText("Landmarks saved.").waitFor();
  await closeMessages(page);
}

async function closeMessages(page) {
  const close = page.getByRole("button", { name: "Close this message" });
  while ((await close.count()) > 0)
    await close
      .first()
      .click({ timeout: 1000 })
      .catch(() => {});
}

async function drawSample(page) {
  await goTo(page, "Images");
  await page.getByRole("button", { name: "Close this report" }).click();
  await page.getByLabel("How many of the 14?").fill("10");
  await screenshot(page, "newcomer-4-sample");
  await page.getByRole("button", { name: "Draw …" }).click();
  await page.getByRole("button", { name: "Draw the sample" }).click();
  await page.getByText("10 images drawn at random").waitFor();
}

/** Labels all of the sample; what was clicked, by the image's name. */
async function labelSample(page, faces) {
  await page.getByRole("link", { name: "Start labeling" }).click();
  const placed = new Map();
  for (let number = 1; number <= 10; ++number) {
    await page.getByTestId("progress").getByText(`image ${number} of 10`).waitFor();
    const name = await page.locator(".toolbar-name").innerText();
    await imageShown(page, name);
    const places = faces.places(name, names);
    if (number === 1) await firstClick(page, places);
    await placeAll(page, places, { from: number === 1 ? 1 : 0 });
    placed.set(name, { places, scale: (await viewOf(page)).scale });
    await checkProgress(page, number);
    if (number < 10) await page.getByRole("button", { name: "Next image (N)" }).click();
  }
  await page.getByText("The sample is labeled").waitFor();
  await allSaved(page);
  return placed;
}

// The first click asks for the name, and is not lost by that.
async function firstClick(page, places) {
  await page.getByTestId("target").getByText(names[0]).waitFor();
  await clickOn(page, places[names[0]]);
  await introduce(page, "Ada");
}

async function checkProgress(page, number) {
  if (number === 4) await screenshot(page, "newcomer-5-label");
  if (number === 9) await page.getByRole("button", { name: "1 more label to go" }).waitFor();
  if (number === 10) await badge(page, "design").waitFor();
}

async function checkPlaced(api, project, placed) {
  const landmarks = await api.landmarks(project);
  for (const image of await api.images(project)) {
    const meant = placed.get(image.name);
    if (!meant) continue;
    const { points, complete } = await api.reading(project, image.id);
    assert.ok(complete, `${image.name} is not complete`);
    for (const { id, name } of landmarks) {
      const point = points.find((one) => one.landmark === id);
      assertHit(point, meant.places[name], meant.scale, `${name} of ${image.name}`);
      assert.deepEqual([point.annotator, point.source], ["Ada", "blind"]);
    }
  }
}

async function checkGuarantee(page, api, project) {
  await eventually(async () => (await api.status(project)).n === 10);
  await badge(page, "design").click();
  const panel = page.getByRole("dialog", { name: "What the guarantee stands on" });
  await panel.getByText("90 % on average over samples").first().waitFor();
  const facts = await panel.locator(".facts").first().innerText();
  assert.match(facts, /Sample labeled\s+10 of 10/);
  await panel.getByText("Details").click();
  const details = await panel.locator("details .facts").innerText();
  assert.match(details, /\(n\)\s+10/);
  assert.match(details, /Rank of the threshold\s+10 of 10/);
  await screenshot(page, "newcomer-6-guarantee");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
}

async function review(page, api, project) {
  await page.getByRole("link", { name: "Review the other images" }).click();
  await rows(page).getByText("px").first().waitFor();
  await imageShown(page);
  await eventually(async () => (await api.status(project)).prediction.done === 4);
  await screenshot(page, "newcomer-7-review");
  await checkSlider(page);
  await checkSupportingReferences(page);
  await acceptOne(page);
  await correctOne(page, api, project);
  await acceptRest(page);
}

const areaOf = async (page) => Number(await page.getByTestId("mean-region").getAttribute("data-area"));

// The p-values are on the page: another alpha asks the server nothing.
async function checkSlider(page) {
  const before = await areaOf(page);
  const asked = [];
  const note = (request) => asked.push(request.url());
  page.on("request", note);
  const slider = page.getByRole("slider");
  await slider.focus();
  for (let step = 0; step < 5; ++step) await page.keyboard.press("PageUp");
  const smaller = await areaOf(page);
  await page.keyboard.press("Home");
  const largest = await areaOf(page);
  page.off("request", note);
  assert.ok(smaller < before && before < largest, `${smaller} < ${before} < ${largest}`);
  assert.deepEqual(
    asked.filter((url) => url.includes("/regions")),
    [],
  );
  await page.getByText("Exploring.").waitFor();
  await page.getByText("10 labels are too few for this").waitFor();
  await page.getByRole("button", { name: "Back to 90 %" }).click();
  assert.equal(await areaOf(page), before);
}

async function checkSupportingReferences(page) {
  const thumbnails = page.locator(".support-list img");
  await eventually(async () => (await thumbnails.count()) === 3);
  await eventually(() => thumbnails.evaluateAll((all) => all.every((one) => one.naturalWidth > 0)));
}

async function acceptOne(page) {
  await allSaved(page);
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Enter");
  await rows(page).getByText("accepted").waitFor();
  await allSaved(page);
}

const reviewedImage = async (page, api, project) => {
  const id = Number(/review\/(\d+)/.exec(page.url())[1]);
  return (await api.images(project)).find((image) => image.id === id);
};

async function correctOne(page, api, project) {
  const image = await reviewedImage(page, api, project);
  const { points: before } = await api.reading(project, image.id);
  const [accepted] = before.map((point) => point.landmark);
  const landmark = (await api.landmarks(project)).findLast((one) => one.id !== accepted);
  const proposal = (await api.regions(project, image.id)).landmarks.find(
    (one) => one.landmark === landmark.id,
  );
  // Not its true place, which the proposal may have met: too short a way is a click.
  const meant = { x: proposal.x + 12, y: proposal.y - 10 };
  const { scale } = await viewOf(page);
  await drag(page, proposal, meant);
  await rows(page).getByText("corrected").waitFor();
  await allSaved(page);
  const { points } = await api.reading(project, image.id);
  const point = points.find((one) => one.landmark === landmark.id);
  // The point keeps its distance to the pointer that took it: two roundings to screen pixels.
  assertHit(point, meant, scale / 2, landmark.name);
  assert.equal(point.source, "correct");
  assert.equal(points.find((one) => one.source === "accept").landmark, accepted);
}

// All of an image at once leads to the next one, until none is left.
async function acceptRest(page) {
  for (let left = 4; left > 0; --left) {
    const before = page.url();
    await rows(page).getByText("px").first().waitFor();
    await page.getByRole("button", { name: "Accept all" }).click();
    if (left > 1) await page.waitForURL((url) => url.href !== before);
  }
  await page.locator(".review-name").getByText("reviewed").waitFor();
  await page.locator(".queue").getByText("4 of 4 reviewed").waitFor();
  await allSaved(page);
}

async function checkExport(page, api, project) {
  await goTo(page, "Export");
  await screenshot(page, "newcomer-8-export");
  const { path } = await download(page, /^CSV$/);
  const exported = rowsOf(await readFile(path, "utf8"));
  const landmarks = await api.landmarks(project);
  const images = await api.images(project);
  assert.equal(exported.length, images.length * landmarks.length);
  for (const image of images) {
    for (const point of (await api.reading(project, image.id)).points) {
      const { name } = landmarks.find((one) => one.id === point.landmark);
      const row = exported.find((one) => one.image === image.name && one.landmark === name);
      assert.deepEqual(
        [Number(row.x), Number(row.y)],
        [point.x, point.y],
        `${name} of ${image.name}`,
      );
    }
  }
}

async function checkModel(page, faces, folder) {
  const { name, path } = await download(page, /model\.caos$/);
  assert.match(name, /\.caos$/);
  const model = join(folder, "model.caos");
  await copyFile(path, model);
  const out = join(folder, "regions.json");
  await caos("landmarks", "predict", model, faces.freshFolder, "--alpha", "0.1", "--out", out);
  const text = await readFile(out, "utf8");
  for (const landmark of names) assert.ok(text.includes(landmark), landmark);
}

async function checkBackup(page, api, project, folder) {
  const { name, path } = await download(page, /Backup/);
  assert.match(name, /\.caos-project\.zip$/);
  const backup = join(folder, name);
  await copyFile(path, backup);
  await page.getByRole("link", { name: "Drawn faces" }).click();
  await page.getByLabel("Restore from a backup file").setInputFiles(backup);
  await page.locator(".image-card").nth(13).waitFor();
  const restored = Number(/#\/p\/(\d+)/.exec(page.url())[1]);
  assert.notEqual(restored, project);
  assert.deepEqual(await pointsOf(api, restored), await pointsOf(api, project));
}

/** Every point of a project with who placed it and when, whatever its numbers are. */
async function pointsOf(api, project) {
  const names = new Map((await api.landmarks(project)).map((one) => [one.id, one.name]));
  const all = [];
  for (const image of await api.images(project)) {
    for (const { landmark, state, x, y, annotator } of (await api.reading(project, image.id))
      .points) {
      all.push([image.name, names.get(landmark), state, x, y, annotator].join(" "));
    }
  }
  return all.sort();
}
