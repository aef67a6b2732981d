import assert from "node:assert/strict";
import { test } from "node:test";
import { fit, onImage, pan, reveal, toImage, toScreen, zoomAbout } from "./view";

const image = { width: 4000, height: 3000 };
const window = { width: 800, height: 600 };

test("the whole image fits, in the middle", () => {
  const view = fit(image, window, 0);
  assert.deepEqual(view, { scale: 0.2, x: 0, y: 0 });
  assert.deepEqual(toScreen(view, { x: 4000, y: 3000 }), { x: 800, y: 600 });
});

test("what is under the pointer stays there while zooming", () => {
  let view = fit(image, window);
  const at = { x: 313, y: 207 };
  const before = toImage(view, at);
  for (let step = 0; step < 20; step++) view = zoomAbout(view, at, 1.3, image, window);
  const after = toImage(view, at);
  assert.ok(Math.hypot(after.x - before.x, after.y - before.y) < 1e-6);
  assert.ok(view.scale > 10);
});

test("the image cannot be lost out of sight", () => {
  const view = pan(fit(image, window), 1e6, -1e6, image, window);
  const corner = toScreen(view, { x: 0, y: image.height });
  assert.ok(corner.x < window.width && corner.y > 0);
});

test("what is revealed lies inside the window, and nothing moves if it does already", () => {
  const view = zoomAbout(fit(image, window), { x: 400, y: 300 }, 10, image, window);
  const at = { x: 3990, y: 10 };
  const seen = toScreen(reveal(view, at, image, window), at);
  assert.ok(seen.x > 0 && seen.x < 800 && seen.y > 0 && seen.y < 600);
  assert.equal(reveal(view, { x: 2000, y: 1500 }, image, window), view);
});

test("places stay inside the image, with two decimals", () => {
  assert.deepEqual(onImage({ x: -5, y: 4000 }, image), { x: 0, y: 2999.99 });
  assert.deepEqual(onImage({ x: 10.256, y: 20.254 }, image), { x: 10.26, y: 20.25 });
});
