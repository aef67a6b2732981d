import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueueImage } from "../../types";
import { ImageRegions } from "../../regions/image_regions";
import { type Alpha, parseAlpha } from "../../regions/alpha";
import { conformityColor } from "../../regions/conformity";
import { neighbor, nextOpen, nextUnreviewed } from "./review_order";

test("the landmark under the cursor is the one that suits the patch best", () => {
  const landmark = (id: number, exceeding: number[]) => ({
    landmark: id,
    n: 9,
    units: 9,
    exceeding,
    proposal: 0,
    x: 1,
    y: 1,
    supporting_references: [],
  });
  const regions = new ImageRegions({
    image: 1,
    calibration: 1,
    columns: 2,
    rows: 1,
    x: [0, 8, 16],
    y: [0, 8],
    guarantee: {
      kind: "none",
      alpha: "0.1",
      guaranteed_alpha: "0.1",
      by_design: false,
      waiting: false,
      why_none: "",
      holds_for: "",
      assumption: "",
    },
    landmarks: [landmark(5, [9, 3]), landmark(6, [2, 8]), landmark(7, [0, 0])],
    unavailable: [{ landmark: 8, why: "no labels" }],
  });
  const tenth = parseAlpha("0.1") as Alpha;
  assert.equal(regions.landmarkAt(0, tenth), 5);
  assert.equal(regions.landmarkAt(1, tenth), 6);
  assert.equal(regions.landmarkAt(regions.patchAt(99, 0), tenth), null);
  assert.equal(regions.area(7, tenth), 0);
  assert.equal(regions.meanArea(tenth), (4 * 64) / 3);
  assert.equal(regions.size(7, tenth), 0);
  assert.equal(regions.size(8, tenth), null);
});

test("an empty region warns, and a small one is not a sure one", () => {
  const landmark = (id: number, exceeding: number[]) => ({
    landmark: id,
    n: 19,
    units: 19,
    exceeding,
    proposal: 0,
    x: 1,
    y: 1,
    supporting_references: [],
  });
  const regions = new ImageRegions({
    image: 1,
    calibration: 1,
    columns: 2,
    rows: 1,
    x: [0, 8, 16],
    y: [0, 8],
    guarantee: {
      kind: "none",
      alpha: "0.1",
      guaranteed_alpha: "0.1",
      by_design: false,
      waiting: false,
      why_none: "",
      holds_for: "",
      assumption: "",
    },
    landmarks: [
      landmark(1, [0, 0]),
      landmark(2, [2, 0]),
      landmark(3, [7, 6]),
      landmark(4, [19, 18]),
    ],
    unavailable: [],
  });
  const tenth = parseAlpha("0.1") as Alpha;
  const kinds = [1, 2, 3, 4, 5].map((id) => regions.conformity(id, tenth));
  assert.deepEqual(kinds, ["empty", "doubtful", "fair", "good", null]);
  assert.equal(regions.size(2, tenth), 1);
  assert.equal(regions.numEmpty(tenth), 1);
  // At another alpha the same region is not empty, but still conforms badly.
  const fiftieth = parseAlpha("0.04") as Alpha;
  assert.equal(regions.conformity(1, fiftieth), "doubtful");
  assert.notEqual(conformityColor("empty"), conformityColor("good"));
});

test("the queue is walked forth and back, and around to what is left", () => {
  const entry = (image: number, reviewed: boolean): QueueImage => ({
    image,
    reviewed,
    predicted: true,
    empty_regions: 0,
    lowest_p_value: 1,
    mean_p_value: 1,
    mean_score_over_threshold: 0,
    shape_deviation: null,
    total_size: 0,
    largest_size: 0,
    worst_landmark: null, mean_area: 0, mean_share: 0, mean_size: 0,
  });
  const images = [entry(4, false), entry(2, true), entry(9, true), entry(1, false)];
  assert.equal(neighbor(images, 2, 1), 9);
  assert.equal(neighbor(images, 4, -1), 4);
  assert.equal(neighbor(images, null, 1), 4);
  assert.equal(nextUnreviewed(images, 4), 1);
  assert.equal(nextUnreviewed(images, 1), 4);
  assert.equal(nextUnreviewed(images, null), 4);
  assert.equal(nextUnreviewed([entry(4, false)], 4), null);
});

test("the next landmark is the next one that is not decided", () => {
  assert.equal(nextOpen([5, 6, 7], new Set([6]), 5), 7);
  assert.equal(nextOpen([5, 6, 7], new Set([7]), 7), 5);
  assert.equal(nextOpen([5, 6, 7], new Set([5, 6, 7]), null), null);
});
