// The way through a project: from the last label to the review, from image to image, back and forth.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import {
  allSaved,
  download,
  drop,
  dropZone,
  goTo,
  openImage,
  placeAll,
  showPage,
  waitForTarget,
} from "./support/steps.mjs";
import { imageShown, screenPixel, viewOf } from "./support/viewer.mjs";

const names = ["left_pupil", "nose_tip"];
const queueItems = (page) => page.locator(".queue li a");

/** A project whose sample is labeled and whose other images are predicted. */
async function labeledProject(studio, faces, size, name = "Faces") {
  const project = await studio.api.makeProject(name, names, faces.files);
  await studio.api.drawSample(project, size);
  await studio.api.labelSample(project, faces, names);
  await eventually(async () => {
    const { prediction } = await studio.api.status(project);
    return prediction.total > 0 && prediction.done === prediction.total;
  });
  return project;
}

scenario("an address typed in one project opens the project that it names", async (studio) => {
  const faces = await studio.faces(2);
  const first = await studio.api.makeProject("First", ["nose_tip"], faces.files.slice(0, 1));
  const second = await studio.api.makeProject("Second", ["chin"], faces.files.slice(1));
  const page = await studio.open({ name: "Ada" });
  await openImage(page, "annotate", second, (await studio.api.images(second))[0]);
  await page.evaluate((id) => (location.hash = `#/p/${id}/annotate`), first);
  await page.getByTestId("target").getByText("1. nose_tip").waitFor();
  const [image] = await studio.api.images(first);
  assert.ok(page.url().endsWith(`#/p/${first}/annotate/${image.id}`), page.url());
  assert.equal(await page.locator(".brand-name").innerText(), "First");
});

scenario("nothing is called saved as long as a form is not", async (studio) => {
  const faces = await studio.faces(1);
  const project = await studio.api.makeProject("Faces", ["nose_tip"], faces.files);
  const page = await studio.open({ name: "Ada" });
  await showPage(page, project, "scheme");
  await page.getByLabel("Name of landmark 1").fill("tip_of_nose");
  await page.getByText("Not saved yet").waitFor();
  await page.locator(".connection", { hasText: "landmarks not saved" }).waitFor();
  // Also while one looks elsewhere: the changes are kept, not stored.
  await goTo(page, "Images");
  await page.locator(".connection", { hasText: "landmarks not saved" }).waitFor();
  await goTo(page, "Landmarks");
  await page.getByRole("button", { name: "Save 1 landmark" }).click();
  await allSaved(page);
  await showPage(page, project, "settings");
  await page.getByLabel("Name", { exact: true }).fill("Other faces");
  await page.locator(".connection", { hasText: "settings not saved" }).waitFor();
  await page.getByRole("button", { name: "Save settings" }).click();
  await allSaved(page);
});

scenario("the review begins with the worst landmark, and keeps zoom from image to image", async (studio) => {
  const faces = await studio.faces(16);
  const project = await labeledProject(studio, faces, 9);
  const queue = (await studio.api.get(`/v1/projects/${project}/queue`)).images;
  const page = await studio.open({ name: "Ada" });
  await showPage(page, project, "review");
  const landmarks = await studio.api.landmarks(project);
  const worst = landmarks.findIndex((one) => one.id === queue[0].worst_landmark);
  const rows = page.locator(".landmark-list button");
  assert.equal(await rows.nth(worst).getAttribute("aria-current"), "true");
  assert.match(await page.locator(".queue").innerText(), /Average region \d+ px/);
  const whole = (await viewOf(page)).scale;
  await page.keyboard.press("z");
  const { scale } = await viewOf(page);
  assert.ok(scale > 4 * whole, `${scale} after ${whole}`);
  await screenshot(page, "flow-zoomed");
  const before = page.url();
  await page.keyboard.press("Shift+Enter");
  await page.waitForURL((url) => url.href !== before);
  await imageShown(page);
  await eventually(async () => Math.abs((await viewOf(page)).scale / scale - 1) < 0.01);
  await page.keyboard.press("0");
  await page.keyboard.press("]");
  await imageShown(page);
  await eventually(async () => Math.abs((await viewOf(page)).scale / whole - 1) < 0.01);
  const drawn = () =>
    page.locator(".viewer canvas").last().evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value !== 0);
    });
  assert.ok(await drawn());
  await page.keyboard.press("x");
  await eventually(async () => !(await drawn()));
  await page.keyboard.press("x");
  await eventually(drawn);
});

scenario("every preview comes, however fast one pages", async (studio) => {
  const faces = await studio.faces(20);
  const project = await labeledProject(studio, faces, 9);
  const page = await studio.open({ name: "Ada" });
  await showPage(page, project, "review");
  for (let round = 0; round < 3; ++round) {
    for (let step = 0; step < 9; ++step) await page.keyboard.press("]");
    for (let step = 0; step < 9; ++step) await page.keyboard.press("[");
  }
  await queueItems(page).nth(5).click();
  await imageShown(page);
  assert.equal(await page.getByText("The image could not be loaded").count(), 0);
});

scenario("an image that cannot be labeled stays in the sample, and the guarantee stays", async (studio) => {
  const faces = await studio.faces(14);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  await studio.api.drawSample(project, 10);
  const sample = (await studio.api.images(project)).filter((one) => one.in_sample);
  sample.sort((a, b) => a.order - b.order);
  for (const image of sample.slice(0, 9)) {
    await studio.api.place(project, image.id, faces.places(image.name, names));
  }
  const page = await studio.open({ name: "Ada" });
  await openImage(page, "annotate", project, sample[9]);
  await page.getByRole("button", { name: "This image cannot be labeled" }).click();
  const asked = page.getByRole("dialog");
  await asked.getByText("so the guarantee stays").waitFor();
  await screenshot(page, "flow-unlabelable");
  await asked.getByRole("button", { name: "Mark all landmarks as not visible" }).click();
  await page.getByText("The sample is labeled").waitFor();
  // What may be accepted unseen is chosen before regions are.
  await page.getByRole("link", { name: "Accept some unseen first" }).waitFor();
  await allSaved(page);
  const { points, complete } = await studio.api.reading(project, sample[9].id);
  assert.ok(complete);
  assert.deepEqual(new Set(points.map((point) => point.state)), new Set(["missing"]));
  await eventually(async () => (await studio.api.status(project)).guarantee.by_design);
});

scenario("the list shows the progress of second readings, and sorts by name", async (studio) => {
  const faces = await studio.faces(3);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const page = await studio.open({ name: "Bo" });
  const [image] = await studio.api.images(project);
  await openImage(page, "annotate", project, image);
  await page.getByRole("button", { name: "2nd reading" }).click();
  const row = page.locator(`.strip-row[data-image="${image.id}"]`);
  await row.getByText("to do").waitFor();
  await placeAll(page, faces.places(image.name, names));
  await row.getByText("✓ done").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "2nd reading" }).click();
  await row.getByText("✓ done").waitFor();
  await page.getByLabel("Sort by").selectOption("name");
  const listed = await page.locator(".strip-name").allInnerTexts();
  assert.deepEqual(listed, [...listed].sort());
});

scenario("proposals are accepted unseen after the choice is fixed", async (studio) => {
  const faces = await studio.faces(40);
  const project = await labeledProject(studio, faces, 24);
  const page = await studio.open({ name: "Ada" });
  await showPage(page, project, "accept");
  await page.getByLabel("Unit").selectOption("px");
  await page.getByLabel("A point may be off by").fill("6");
  await page.getByRole("button", { name: "Fix the choice and compute" }).click();
  await page.getByTestId("num-accepted").waitFor();
  await page.getByText("Guaranteed:", { exact: false }).first().waitFor();
  await screenshot(page, "accept-ready");
  const plan = await studio.api.get(`/v1/projects/${project}/acceptance`);
  assert.deepEqual([plan.state, plan.tolerance, plan.q], ["ready", "6px", "0.1"]);
  assert.ok(plan.num_accepted > 0, "nothing can be accepted");
  await page.getByRole("button", { name: /^Accept \d+ point/ }).click();
  await page.getByRole("link", { name: "Review the rest" }).waitFor();
  const images = (await studio.api.images(project)).filter((one) => !one.in_sample);
  const points = (
    await Promise.all(images.map(async (one) => (await studio.api.reading(project, one.id)).points))
  ).flat();
  assert.equal(points.length, plan.num_accepted);
  assert.ok(points.every((point) => point.source === "auto" && point.annotator === "Ada"));
  await goTo(page, "Export");
  const { path } = await download(page, /^↓? ?CSV$/);
  assert.match(await readFile(path, "utf8"), /auto-accepted/);
});

/** A gray TIFF file of pages 4 x 3, one shade each. */
function stackOfShades(shades) {
  const parts = [Buffer.from("II*\0\0\0\0\0", "latin1")];
  let [at, link] = [8, { part: 0, offset: 4 }];
  for (const shade of shades) {
    const pixels = Buffer.alloc(12, shade);
    const entries = [
      [256, 4], [257, 3], [258, 8], [259, 1], [262, 1], [273, at], [277, 1], [278, 3], [279, 12],
    ];
    const directory = Buffer.alloc(2 + 12 * entries.length + 4);
    directory.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, value], index) => {
      directory.writeUInt16LE(tag, 2 + 12 * index);
      directory.writeUInt16LE(4, 4 + 12 * index);
      directory.writeUInt32LE(1, 6 + 12 * index);
      directory.writeUInt32LE(value, 10 + 12 * index);
    });
    parts[link.part].writeUInt32LE(at + pixels.length, link.offset);
    parts.push(pixels, directory);
    link = { part: parts.length - 1, offset: directory.length - 4 };
    at += pixels.length + directory.length;
  }
  return Buffer.concat(parts);
}

scenario("a file with several pages asks which of them to take", async (studio) => {
  studio.complaints.expect(/status of 409/);
  const project = await studio.api.makeProject("Stacks", ["tip"], []);
  const file = join(studio.folder, "stack.tif");
  await writeFile(file, stackOfShades([40, 90, 200]));
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/images`);
  await drop(page, dropZone(page), [file]);
  const asked = page.getByRole("dialog", { name: "Which page of stack.tif?" });
  await asked.getByLabel("The file has 3 pages").selectOption("3");
  await screenshot(page, "flow-pages");
  await asked.getByRole("button", { name: "This page" }).click();
  await eventually(async () => (await studio.api.images(project)).length === 1);
  assert.equal((await studio.api.images(project))[0].name, "stack-3.tif");
});

scenario("lengths and angles are defined, shown live, and scaled by two clicks", async (studio) => {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const [image] = await studio.api.images(project);
  const page = await studio.open({ name: "Ada" });
  await showPage(page, project, "measures");
  await page.getByLabel("Name", { exact: true }).fill("eye to nose");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Add line" }).click();
  await page.getByRole("button", { name: "Save measures" }).click();
  await page.getByText("Measures saved.").waitFor();
  await screenshot(page, "measures-defined");
  const places = faces.places(image.name, names);
  await openImage(page, "annotate", project, image);
  await placeAll(page, places);
  await page.getByRole("button", { name: "Measures", exact: true }).last().click();
  const length = Math.hypot(
    places.left_pupil.x - places.nose_tip.x,
    places.left_pupil.y - places.nose_tip.y,
  );
  const value = page.locator(".measure-values dd");
  const shown = async () => parseFloat(await value.innerText());
  assert.ok(Math.abs((await shown()) - length) < 2, `${await shown()} px, not ${length}`);
  await page.getByRole("button", { name: "Set scale by two clicks" }).click();
  for (const at of [{ x: 10, y: 10 }, { x: 110, y: 10 }]) {
    const pixel = await screenPixel(page, at);
    await page.mouse.click(pixel.x, pixel.y);
  }
  const asked = page.getByRole("dialog", { name: "How long is this line?" });
  await asked.getByLabel("Length in millimeters").fill("50");
  await screenshot(page, "measure-scale");
  await asked.getByRole("button", { name: "Set the scale" }).click();
  await page.locator(".measure-values dd", { hasText: "mm" }).waitFor();
  const scale = (await studio.api.images(project)).find((one) => one.id === image.id).mm_per_pixel;
  assert.ok(Math.abs(scale - 0.5) < 0.02, `${scale} mm per pixel`);
  assert.equal((await studio.api.reading(project, image.id)).points.length, 2, "a click placed a point");
});

scenario("brightness and contrast change the picture on the screen only", async (studio) => {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const [image] = await studio.api.images(project);
  const page = await studio.open({ name: "Ada" });
  await openImage(page, "annotate", project, image);
  await page.getByRole("button", { name: "Brightness and contrast" }).click();
  await page.getByLabel("Brightness", { exact: true }).fill("2");
  const filter = () =>
    page.locator(".viewer canvas").first().evaluate((canvas) => canvas.style.filter);
  await eventually(async () => (await filter()).includes("brightness(2)"));
  await screenshot(page, "picture-brightness");
  await page.getByRole("button", { name: "Reset" }).click();
  await eventually(async () => (await filter()) === "none");
});

scenario("the manual is behind the question mark", async (studio) => {
  const page = await studio.open({ name: "Ada" });
  await page.getByText("How it works").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("link", { name: "Open the manual" }).click();
  await page.getByRole("heading", { name: "Manual" }).waitFor();
  assert.equal(await page.locator(".manual-figure").count(), 5);
  await page.getByRole("button", { name: "What the guarantee means" }).click();
  await screenshot(page, "manual");
});

scenario("the page can be German, and leaves names alone", async (studio) => {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Review", ["Review", "Images"], faces.files);
  const page = await studio.open({ name: "Ada" });
  await page.getByText("New project").waitFor();
  await page.keyboard.press("?");
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("button", { name: "Neues Projekt" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.getByText("2 Bilder, 2 Landmarken").waitFor();
  await openImage(page, "annotate", project, (await studio.api.images(project))[0]);
  await page.getByRole("navigation", { name: "Seiten des Projekts" }).getByText("Labeln").waitFor();
  assert.deepEqual(await page.locator(".point-name").allInnerTexts(), ["Review", "Images"]);
  assert.equal(await page.locator(".brand-name").innerText(), "Review");
  await waitForTarget(page, 1, "Review");
  await screenshot(page, "german");
  await page.keyboard.press("?");
  await page.getByLabel("Sprache").selectOption("en");
  await page.getByText("Click to place").waitFor();
});
