// A photograph of 12 megapixels: far larger than the screen, every pixel of it within reach.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { screenshot } from "./support/browser.mjs";
import { png } from "./support/png.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, openImage } from "./support/steps.mjs";
import { assertHit, clickOn, drag, screenPixel, toScreen, viewOf } from "./support/viewer.mjs";

const width = 4000;
const height = 3000;
/** The middle of a red square of 9 pixels, across the borders of tiles (512) as well. */
const marks = [
  { x: 3000.5, y: 1200.5 },
  { x: 512.5, y: 2560.5 },
];

const isMark = (x, y) =>
  marks.some((mark) => Math.abs(x + 0.5 - mark.x) < 5 && Math.abs(y + 0.5 - mark.y) < 5);
const pattern = (x, y) => (isMark(x, y) ? [230, 20, 20] : [(x >> 4) & 127, (y >> 4) & 127, 120]);

/** Zooms by the wheel about a place until one pixel of the image takes `scale` on the screen. */
async function zoomTo(page, at, scale) {
  const { x, y } = await screenPixel(page, at);
  await page.mouse.move(x, y);
  for (let turn = 0; turn < 40; ++turn) {
    const view = await viewOf(page);
    const missing = Math.log(scale / view.scale) / 0.0016;
    if (Math.abs(missing) < 1) return;
    await page.mouse.wheel(0, -Math.max(-240, Math.min(240, Math.round(missing))));
    await eventually(async () => (await viewOf(page)).scale !== view.scale);
  }
}

/** The color that the page shows at a place of the image. */
async function colorAt(page, at) {
  const view = await viewOf(page);
  const seen = toScreen(view, at);
  return page.getByTestId("viewer").evaluate(
    (element, { x, y }) => {
      const canvas = element.querySelector("canvas");
      const ratio = canvas.width / element.clientWidth;
      return [
        ...canvas.getContext("2d").getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1)
          .data,
      ];
    },
    { x: seen.x - view.box.x, y: seen.y - view.box.y },
  );
}

const isRed = ([red, green, blue]) => red > 150 && green < 90 && blue < 90;

async function stored(api, project, image, number) {
  const landmark = (await api.landmarks(project))[number];
  const { points } = await api.reading(project, image.id);
  return points.find((one) => one.landmark === landmark.id);
}

// Full resolution has come when the mark has sharp edges where it should.
async function checkSharp(page, mark) {
  const by = (dx, dy) => ({ x: mark.x + dx, y: mark.y + dy });
  await eventually(async () => {
    for (const at of [by(0, 0), by(-3, -3), by(3, 3)]) assert.ok(isRed(await colorAt(page, at)));
    for (const at of [by(7, 0), by(-7, 0), by(0, 7), by(0, -7)])
      assert.ok(!isRed(await colorAt(page, at)));
  });
}

scenario("every pixel of a 12-megapixel photograph can be hit", async (studio) => {
  const file = join(studio.folder, "photograph.png");
  await writeFile(file, png(width, height, pattern));
  const project = await studio.api.makeProject("Large", ["first", "second"], [file]);
  const [image] = await studio.api.images(project);
  assert.deepEqual([image.width, image.height], [width, height]);
  const page = await studio.open({ name: "Ada" });
  await openImage(page, "annotate", project, image);
  const whole = (await viewOf(page)).scale;
  assert.ok(whole < 0.3, `the whole image is seen first, at ${whole}`);
  for (const [index, mark] of marks.entries())
    await hit(page, studio.api, { project, image, index, mark });
  await screenshot(page, "photograph-full-resolution");
  await checkFarAway(page, studio.api, project, image);
});

async function hit(page, api, { project, image, index, mark }) {
  await page.keyboard.press("0");
  await eventually(async () => (await viewOf(page)).scale < 0.3);
  await zoomTo(page, mark, 1);
  await checkSharp(page, mark);
  const { scale } = await viewOf(page);
  assert.ok(Math.abs(scale - 1) < 0.01, `100 % is ${scale}`);
  await clickOn(page, mark);
  await page
    .getByTestId("progress")
    .getByText(`${index + 1} of 2 placed`)
    .waitFor();
  await allSaved(page);
  assertHit(await stored(api, project, image, index), mark, scale);
}

// At the scale of the whole image a drag is as exact as the screen, no more and no less.
async function checkFarAway(page, api, project, image) {
  const from = await stored(api, project, image, 0);
  await page.keyboard.press("0");
  await eventually(async () => (await viewOf(page)).scale < 0.3);
  const { scale } = await viewOf(page);
  await drag(page, from, { x: 2000, y: 700 });
  await eventually(async () =>
    assertHit(await stored(api, project, image, 0), { x: 2000, y: 700 }, scale / 2),
  );
}
