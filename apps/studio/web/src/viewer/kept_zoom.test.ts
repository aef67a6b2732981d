import assert from "node:assert/strict";
import { test } from "node:test";
import { keepZoom, keptZoom, relativeTo, viewOfRelative } from "./kept_zoom";
import { fit, toImage, zoomAbout } from "./view";

const window = { width: 800, height: 600 };
const image = { width: 4000, height: 3000 };

test("the same part of another image is seen, however large that is", () => {
  const view = zoomAbout(fit(image, window), { x: 200, y: 500 }, 6, image, window);
  const other = { width: 1000, height: 750 };
  const seen = viewOfRelative(relativeTo(view, image, window), other, window);
  const middle = { x: 400, y: 300 };
  const [a, b] = [toImage(view, middle), toImage(seen, middle)];
  assert.ok(Math.abs(a.x / image.width - b.x / other.width) < 1e-9);
  assert.ok(Math.abs(a.y / image.height - b.y / other.height) < 1e-9);
  assert.ok(Math.abs(seen.scale / fit(other, window).scale - 6) < 1e-9);
});

test("each project keeps its own, until the whole image is wanted", () => {
  keepZoom(1, { zoom: 3, middle: { x: 0.5, y: 0.5 } });
  assert.equal(keptZoom(2), null);
  assert.equal(keptZoom(1)?.zoom, 3);
  keepZoom(1, null);
  assert.equal(keptZoom(1), null);
});
