// From the list of projects to a labeled and a reviewed image, without a mouse.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { hundredths } from "./support/faces.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, waitForTarget } from "./support/steps.mjs";
import { imageShown, viewOf } from "./support/viewer.mjs";

const names = ["left_pupil", "nose_tip"];

/** What has the focus, in the words of a screen reader. */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();
  });

/** Presses Tab until what has the focus is called like that. */
async function tabTo(page, pattern, most = 120) {
  const passed = [];
  for (let count = 0; count < most; ++count) {
    await page.keyboard.press("Tab");
    const name = await focused(page);
    if (pattern.test(name)) return;
    passed.push(name.slice(0, 30));
  }
  assert.fail(`Tab never came to ${pattern}, but to ${passed.join(" | ")}`);
}

/** The keys that bring the cross-hair nearest to a place, and where it is then. */
function walk(view, from, to) {
  const steps = [
    ["Shift+", Math.max(1, Math.round(40 / view.scale))],
    ["", Math.max(1, Math.round(8 / view.scale))],
    ["Alt+", 1],
  ];
  const keys = [];
  const at = { ...from };
  for (const [axis, less, more] of [
    ["x", "Left", "Right"],
    ["y", "Up", "Down"],
  ]) {
    for (const [modifier, step] of steps) {
      while (Math.abs(to[axis] - at[axis]) > step / 2 + 1e-9) {
        const forward = to[axis] > at[axis];
        keys.push(`${modifier}Arrow${forward ? more : less}`);
        at[axis] = hundredths(at[axis] + (forward ? step : -step));
      }
    }
  }
  return { keys, at };
}

/** Places the landmarks by arrows and Enter; where they must be. */
async function placeByKeys(page, faces, image) {
  // What comes late in the header moves the image.
  await page.locator(".guarantee-badge").waitFor();
  let at = { x: hundredths(image.width / 2), y: hundredths(image.height / 2) };
  await page.keyboard.press("Enter");
  const places = {};
  for (const [index, name] of names.entries()) {
    await waitForTarget(page, index + 1, name);
    const way = walk(await viewOf(page), at, faces.place(image.name, name));
    for (const key of way.keys) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    places[name] = at = way.at;
  }
  return places;
}

async function checkPlaces(api, project, image, faces, places) {
  const { points, complete } = await api.reading(project, image.id);
  assert.ok(complete);
  for (const { id, name } of await api.landmarks(project)) {
    const { x, y } = points.find((one) => one.landmark === id);
    assert.deepEqual({ x, y }, places[name], name);
    const truth = faces.place(image.name, name);
    assert.ok(Math.max(Math.abs(x - truth.x), Math.abs(y - truth.y)) <= 0.51, name);
  }
}

async function labelOne(page, studio, project, faces) {
  await tabTo(page, /^Start labeling/);
  await page.keyboard.press("Enter");
  const [image] = (await studio.api.images(project)).filter((one) => one.order === 0);
  await imageShown(page, image.name);
  const places = await placeByKeys(page, faces, image);
  await page.getByText("All 2 landmarks done").waitFor();
  await allSaved(page);
  await screenshot(page, "keyboard-labeled");
  await checkPlaces(studio.api, project, image, faces, places);
  return image;
}

async function labelOthers(studio, project, faces, done) {
  const sample = (await studio.api.images(project)).filter(
    (one) => one.in_sample && one.id !== done.id,
  );
  for (const image of sample.sort((a, b) => a.order - b.order)) {
    await studio.api.place(project, image.id, faces.places(image.name, names));
  }
  await eventually(async () => (await studio.api.status(project)).n === 9);
}

async function reviewOne(page, studio, project) {
  await tabTo(page, /^Review/);
  await page.keyboard.press("Enter");
  await page.locator(".landmark-list").getByText("px").first().waitFor();
  await imageShown(page);
  const id = Number(/review\/(\d+)/.exec(page.url())[1]);
  const { landmarks } = await studio.api.regions(project, id);
  await page.keyboard.press("Enter");
  await page.locator(".landmark-list").getByText("accepted").first().waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".landmark-list").getByText("corrected").waitFor();
  await allSaved(page);
  await screenshot(page, "keyboard-reviewed");
  const { points, complete } = await studio.api.reading(project, id);
  assert.ok(complete);
  const proposed = (point) => landmarks.find((one) => one.landmark === point.landmark);
  const [first] = points.filter((point) => point.source === "accept");
  const [second] = points.filter((point) => point.source === "correct");
  assert.equal(first.x, hundredths(proposed(first).x));
  assert.equal(second.x, hundredths(proposed(second).x + 1));
  await page.keyboard.press("Enter");
  await eventually(() => !page.url().endsWith(`review/${id}`));
}

scenario("everything can be done without a mouse", async (studio) => {
  const faces = await studio.faces(11);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  await studio.api.drawSample(project, 9);
  const page = await studio.open();
  await page.getByRole("link", { name: "Faces" }).waitFor();
  await tabTo(page, /^Your name$/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("Ada");
  await page.keyboard.press("Enter");
  await tabTo(page, /^Faces/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "9 images drawn at random" }).waitFor();
  const done = await labelOne(page, studio, project, faces);
  await labelOthers(studio, project, faces, done);
  await reviewOne(page, studio, project);
});

scenario("the keys of a page are a key away", async (studio) => {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/annotate`);
  await imageShown(page);
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Help" });
  await dialog.getByText("place the next landmark at the cross-hair").waitFor();
  await screenshot(page, "keyboard-help");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByTestId("progress").getByText("1 of 2 placed").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByTestId("progress").getByText("0 of 2 placed").waitFor();
  await page.keyboard.press("Control+Shift+z");
  await page.getByTestId("progress").getByText("1 of 2 placed").waitFor();
  await page.keyboard.press("m");
  await page.keyboard.press("Escape");
  await allSaved(page);
});
