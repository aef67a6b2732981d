import assert from "node:assert/strict";
import { test } from "node:test";
import type { Landmark } from "../../types";
import { pairForPercent, toleranceText } from "./tolerance";

test("tolerances are written as the server reads them", () => {
  assert.equal(toleranceText("px", "5", "", ""), "5px");
  assert.equal(toleranceText("mm", "0.5", "", ""), "0.5mm");
  assert.equal(toleranceText("percent", "3", "a", "b"), "3%:a-b");
});

test("what is not whole is nothing", () => {
  for (const value of ["", "0", "-1", "x", "Infinity"]) {
    assert.equal(toleranceText("px", value, "", ""), null);
  }
  assert.equal(toleranceText("percent", "3", "a", "a"), null);
  assert.equal(toleranceText("percent", "3", "", "b"), null);
});

const named = (name: string, pair: string | null = null) => ({ name, pair }) as Landmark;

test("eyes come before other pairs, and pairs before the first two", () => {
  const ears = named("left_ear", "right_ear");
  const eyes = named("left_pupil", "right_pupil");
  assert.deepEqual(pairForPercent([named("nose"), ears, eyes]), ["left_pupil", "right_pupil"]);
  assert.deepEqual(pairForPercent([named("nose"), ears]), ["left_ear", "right_ear"]);
  assert.deepEqual(pairForPercent([named("1"), named("2"), named("3")]), ["1", "2"]);
  assert.equal(pairForPercent([named("1")]), null);
});
