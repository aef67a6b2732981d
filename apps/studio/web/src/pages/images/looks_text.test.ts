import assert from "node:assert/strict";
import { test } from "node:test";
import { looksError, parseLooks } from "./looks_text";

test("looks are growing numbers, separated in any way", () => {
  assert.deepEqual(parseLooks("20, 40", 60), [20, 40]);
  assert.deepEqual(parseLooks(" 20;40 60 ", 60), [20, 40, 60]);
  assert.deepEqual(parseLooks("", 60), []);
  assert.equal(looksError("20,40", 60), "");
});

test("text that is not a plan is refused with an example", () => {
  for (const text of ["40, 20", "20, 20", "0, 3", "20, 61", "a", "1.5", "-1, 2"]) {
    assert.equal(parseLooks(text, 60), null, text);
    assert.match(looksError(text, 60), /at most 60, such as 20, 40/);
  }
});
