// Fingers on a tablet.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, openImage, pageKinds, showPage, waitForTarget } from "./support/steps.mjs";
import { assertHit, screenPixel, viewOf } from "./support/viewer.mjs";

const names = ["left_pupil", "nose_tip"];
const tablet = { viewport: { width: 1024, height: 768 }, hasTouch: true, deviceScaleFactor: 2 };

/** Fingers that follow paths over the screen, each a list of places, together. */
async function touch(page, ...paths) {
  const session = await page.context().newCDPSession(page);
  const points = (step) => paths.map((path, id) => ({ ...path[step], id }));
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points(0) });
  for (let step = 1; step < paths[0].length; ++step) {
    await session.send("Input.dispatchTouchEvent", {
      type: "touchMove",
      touchPoints: points(step),
    });
  }
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

const line = (from, to, steps = 6) =>
  Array.from({ length: steps + 1 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * step) / steps,
    y: from.y + ((to.y - from.y) * step) / steps,
  }));

const by = (at, dx, dy) => ({ x: at.x + dx, y: at.y + dy });

async function pinch(page, at) {
  const before = await viewOf(page);
  const middle = await screenPixel(page, at);
  await touch(
    page,
    line(by(middle, -40, 0), by(middle, -80, 0)),
    line(by(middle, 40, 0), by(middle, 80, 0)),
  );
  await eventually(async () => (await viewOf(page)).scale > before.scale * 1.5);
  const after = await viewOf(page);
  assert.ok(
    Math.abs(after.scale / before.scale - 2) < 0.1,
    `pinched by ${after.scale / before.scale}`,
  );
}

async function tap(page, at) {
  const { x, y } = await screenPixel(page, at);
  await page.touchscreen.tap(x, y);
}

async function stored(api, project, image, name) {
  const landmark = (await api.landmarks(project)).find((one) => one.name === name);
  return (await api.reading(project, image.id)).points.find((one) => one.landmark === landmark.id);
}

scenario("a tap places, two fingers zoom, a finger drags", async (studio) => {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const [image] = await studio.api.images(project);
  const places = faces.places(image.name, names);
  const page = await studio.open({ name: "Ada", ...tablet });
  await openImage(page, "annotate", project, image);
  await waitForTarget(page, 1, names[0]);
  await tap(page, places.left_pupil);
  await waitForTarget(page, 2, names[1]);
  await screenshot(page, "tablet-annotate");
  assertHit(
    await savedPoint(page, studio, project, image, "left_pupil"),
    places.left_pupil,
    (await viewOf(page)).scale,
  );
  await pinch(page, places.nose_tip);
  assert.equal(
    (await studio.api.reading(project, image.id)).points.length,
    1,
    "pinching placed a point",
  );
  await tap(page, places.nose_tip);
  await page.getByText("All 2 landmarks done").waitFor();
  assertHit(
    await savedPoint(page, studio, project, image, "nose_tip"),
    places.nose_tip,
    (await viewOf(page)).scale,
  );
  await dragNose(page, studio, project, image, places.nose_tip);
  await screenshot(page, "tablet-zoomed");
});

async function savedPoint(page, studio, project, image, name) {
  await allSaved(page);
  return eventually(async () => (await stored(studio.api, project, image, name)) ?? false);
}

async function dragNose(page, studio, project, image, at) {
  const to = by(at, 14, 9);
  const { scale } = await viewOf(page);
  await touch(page, line(await screenPixel(page, at), await screenPixel(page, to)));
  await eventually(async () =>
    assertHit(await stored(studio.api, project, image, "nose_tip"), to, scale / 2),
  );
}

scenario("every page fits a tablet", async (studio) => {
  const faces = await studio.faces(12);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  await studio.api.drawSample(project, 9);
  await studio.api.labelSample(project, faces, names);
  const page = await studio.open({ name: "Ada", ...tablet });
  for (const kind of pageKinds) {
    await showPage(page, project, kind);
    await screenshot(page, `tablet-page-${kind}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${kind} is ${wide} pixels wider than the tablet`);
  }
});
