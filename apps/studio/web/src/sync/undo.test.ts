import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edit } from "../types";
import { canDoAgain, canTakeBack, doAgain, note, takeBack } from "./undo";

const at = (x: number): Edit => ({ landmark: 1, state: "visible", x, y: 0 });
const step = (from: number, to: number) => ({ before: [at(from)], after: [at(to)] });

test("steps are taken back in reverse and done again in order", () => {
  note("a", step(0, 1));
  note("a", step(1, 2));
  assert.deepEqual(takeBack("a")?.before, [at(1)]);
  assert.deepEqual(takeBack("a")?.before, [at(0)]);
  assert.equal(takeBack("a"), null);
  assert.deepEqual(doAgain("a")?.after, [at(1)]);
  assert.deepEqual(doAgain("a")?.after, [at(2)]);
  assert.equal(canDoAgain("a"), false);
});

test("nudges in quick succession are one step, later ones another", () => {
  note("b", step(0, 1), true, 1000);
  note("b", step(1, 2), true, 1100);
  note("b", step(2, 3), true, 9000);
  assert.deepEqual(takeBack("b")?.before, [at(2)]);
  assert.deepEqual(takeBack("b")?.before, [at(0)]);
});

test("a new change ends what could be done again", () => {
  note("c", step(0, 1));
  takeBack("c");
  note("c", step(0, 5));
  assert.equal(canDoAgain("c"), false);
  assert.equal(canTakeBack("c"), true);
});
