import assert from "node:assert/strict";
import { test } from "node:test";
import type { StudioImage } from "../../types";
import { nextImage } from "./image_order";

const list = [1, 2, 3, 4].map((id) => ({ id }) as StudioImage);
const next = (place: number, ordered: boolean, ...done: number[]) =>
  nextImage(list, place, ordered, (image) => done.includes(image.id))?.id;

test("an ordered list is worked through from its beginning", () => {
  assert.equal(next(2, true, 2, 3), 1);
  assert.equal(next(1, true, 1, 2), 3);
});

test("elsewhere the next image from here comes next, and around", () => {
  assert.equal(next(2, false, 3), 4);
  assert.equal(next(3, false, 2, 4), 1);
});

test("the image in hand is never the next one", () => {
  assert.equal(next(1, true, 1, 3, 4), undefined);
  assert.equal(next(-1, false, 1), 2);
});
