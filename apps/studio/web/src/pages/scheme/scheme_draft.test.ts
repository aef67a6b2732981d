import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Draft,
  moved,
  namesOfList,
  paired,
  problemOf,
  renamed,
  withAdded,
  withGuessedPairs,
  without,
} from "./scheme_draft";

function draftOf(...names: string[]): Draft {
  return withAdded(
    [],
    names.map((name) => ({ name })),
  );
}
const namesOf = (draft: Draft) => draft.map((row) => row.name);
const pairsOf = (draft: Draft) => draft.map((row) => row.pair);

test("a pasted list loses its numbering and its empty lines", () => {
  assert.deepEqual(namesOfList("1. nose tip\n 2) left eye\n\n- right eye\r\n• chin\n12"), [
    "nose tip",
    "left eye",
    "right eye",
    "chin",
    "12",
  ]);
});

test("names that are there already are not added again", () => {
  const draft = withAdded(draftOf("a", "b"), [
    { name: "b" },
    { name: "c", color: "#123456" },
    { name: "c" },
  ]);
  assert.deepEqual(namesOf(draft), ["a", "b", "c"]);
  assert.equal(draft[2]?.color, "#123456");
  assert.equal(new Set(draft.map((row) => row.key)).size, 3);
});

test("left and right find each other", () => {
  const draft = withGuessedPairs(
    draftOf("left eye", "right eye", "nose", "ear_L", "ear_R", "Left ear"),
  );
  assert.deepEqual(pairsOf(draft), ["right eye", "left eye", null, "ear_R", "ear_L", null]);
  const parted = withGuessedPairs(draftOf("left_pupil", "right_pupil", "brow-left", "cleft", "cright"));
  assert.deepEqual(pairsOf(parted), ["right_pupil", "left_pupil", null, null, null]);
});

test("a row moves and stays within the list", () => {
  const draft = draftOf("a", "b", "c");
  assert.deepEqual(namesOf(moved(draft, 0, 2)), ["b", "c", "a"]);
  assert.deepEqual(namesOf(moved(draft, 2, 0)), ["c", "a", "b"]);
  assert.deepEqual(namesOf(moved(draft, 0, -1)), ["a", "b", "c"]);
  assert.deepEqual(namesOf(moved(draft, 1, 9)), ["a", "c", "b"]);
});

test("a pair follows the new name of its other side", () => {
  const draft = renamed(paired(draftOf("a", "b"), 0, "b"), 1, "beta");
  assert.deepEqual(pairsOf(draft), ["beta", "a"]);
});

test("a pair is mutual and exclusive", () => {
  const draft = paired(paired(draftOf("a", "b", "c"), 0, "b"), 2, "b");
  assert.deepEqual(pairsOf(draft), [null, "c", "b"]);
  assert.deepEqual(pairsOf(paired(draft, 1, null)), [null, null, null]);
});

test("a removed landmark is not paired", () => {
  assert.deepEqual(pairsOf(without(paired(draftOf("a", "b"), 0, "b"), 0)), [null]);
});

test("a scheme has a name for each landmark, and different ones", () => {
  assert.equal(problemOf(draftOf("a", "b")), null);
  assert.match(problemOf(renamed(draftOf("a", "b"), 1, " ")) ?? "", /2 has no name/);
  assert.match(problemOf(renamed(draftOf("a", "b"), 1, "a")) ?? "", /called "a"/);
});
