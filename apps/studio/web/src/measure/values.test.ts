import assert from "node:assert/strict";
import { test } from "node:test";
import type { Measure, Point } from "../types";
import { lengthText, valueOf, valueText } from "./values";

const at = (landmark: number, x: number | null, y: number | null) =>
  ({ landmark, x, y, state: x === null ? "missing" : "visible" }) as Point;
const points = [at(1, 0, 0), at(2, 3, 4), at(3, 3, 0), at(4, null, null)];
const measure = (kind: Measure["kind"], ...landmarks: number[]): Measure => ({
  name: "m",
  kind,
  landmarks,
});

test("a distance is that of its landmarks", () => {
  assert.equal(valueOf(measure("distance", 1, 2), points), 5);
  assert.equal(valueOf(measure("distance", 1, 4), points), null);
});

test("an angle lies at the second of three landmarks, or between two lines", () => {
  assert.equal(valueOf(measure("angle", 1, 3, 2), points), 90);
  assert.equal(valueOf(measure("angle", 1, 3, 3, 2), points), 90);
  assert.equal(valueOf(measure("angle", 1, 1, 2), points), null);
});

test("values are said with the unit that is known", () => {
  assert.equal(valueText(measure("distance", 1, 2), 5, null), "5 px");
  assert.equal(valueText(measure("distance", 1, 2), 5, 0.125), "0.63 mm");
  assert.equal(valueText(measure("angle", 1, 3, 2), 90, 0.125), "90.0°");
  assert.equal(lengthText(24.4, null), "24 px");
});
