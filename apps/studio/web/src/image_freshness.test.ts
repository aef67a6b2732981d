import assert from "node:assert/strict";
import { test } from "node:test";
import { keepNewer } from "./image_freshness";
import type { StudioImage } from "./types";

const image = (id: number, revision: number, complete: boolean): StudioImage => ({
  id,
  name: `image ${id}`,
  width: 1,
  height: 1,
  subject: null,
  mm_per_pixel: null,
  added_at: "",
  order: id,
  in_sample: true,
  audit: "none",
  complete,
  num_points: revision,
  revision,
  complete_2: false, num_points_2: 0, seen: false,
});

test("an answer that was overtaken does not take labels away", () => {
  const known = new Map([[1, image(1, 3, true)]]);
  const late = { ...image(1, 2, false), audit: "open" as const };
  const [kept] = keepNewer([late], known);
  assert.deepEqual(kept, { ...image(1, 3, true), audit: "open" });
});

test("a newer answer, and one of the same revision, are taken as they are", () => {
  const known = new Map([[1, image(1, 3, true)]]);
  assert.deepEqual(keepNewer([image(1, 4, false)], known), [image(1, 4, false)]);
  assert.deepEqual(keepNewer([image(1, 3, false)], known), [image(1, 3, false)]);
  assert.deepEqual(keepNewer([image(2, 0, false)], known), [image(2, 0, false)]);
});
