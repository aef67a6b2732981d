import assert from "node:assert/strict";
import { test } from "node:test";
import type { Landmark, Point, PointState } from "../../types";
import { byLandmark, choose, neighbor, nextOpen, settle } from "./landmark_choice";

const landmarks: Landmark[] = [1, 2, 3, 4].map((id) => ({
  id,
  name: `landmark ${id}`,
  color: "#000000",
  pair: null,
}));

const points = (states: Record<number, PointState>) =>
  byLandmark(
    Object.entries(states).map(
      ([id, state]) => ({ landmark: Number(id), state, x: 1, y: 1 }) as Point,
    ),
  );

test("the next landmark is the first without a state after this one, around the end", () => {
  assert.equal(nextOpen(landmarks, points({}), null), 1);
  assert.equal(nextOpen(landmarks, points({ 1: "visible", 2: "missing" }), 1), 3);
  assert.equal(nextOpen(landmarks, points({ 3: "visible", 4: "visible" }), 4), 1);
  const all = points({ 1: "visible", 2: "hidden", 3: "missing", 4: "visible" });
  assert.equal(nextOpen(landmarks, all, 2), null);
});

test("a placed landmark is selected, another is to be placed", () => {
  const placed = points({ 1: "visible", 2: "missing" });
  const start = { selected: null, target: 3 };
  assert.deepEqual(choose(start, 1, landmarks, placed), { selected: 1, target: 3 });
  assert.deepEqual(choose(start, 2, landmarks, placed), { selected: null, target: 2 });
  assert.deepEqual(choose(start, 4, landmarks, placed), { selected: null, target: 4 });
});

test("passing by a missing landmark does not make it the next one", () => {
  const placed = points({ 1: "visible", 2: "missing" });
  const passed = choose({ selected: null, target: 3 }, 2, landmarks, placed);
  assert.deepEqual(choose(passed, 1, landmarks, placed), { selected: 1, target: 3 });
});

test("the list ends at both ends", () => {
  assert.equal(neighbor(landmarks, { selected: 4, target: 1 }, 1), null);
  assert.equal(neighbor(landmarks, { selected: null, target: 1 }, -1), null);
  assert.equal(neighbor(landmarks, { selected: 2, target: 1 }, 1), 3);
  assert.equal(neighbor(landmarks, { selected: null, target: null }, 1), 1);
});

test("what others take back or place is no longer selected or next", () => {
  const gone = settle({ selected: 1, target: 2 }, landmarks, points({ 2: "visible" }));
  assert.deepEqual(gone, { selected: null, target: 3 });
  const removed = settle({ selected: 9, target: 9 }, landmarks, points({}));
  assert.deepEqual(removed, { selected: null, target: 1 });
});
