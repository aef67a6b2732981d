import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Alpha,
  confidencePercent,
  firstFeasible,
  isFeasible,
  labelsNeeded,
  leastExceeding,
  parseAlpha,
  rank,
  shareOf,
  sliderAlphas,
} from "./alpha";

function alpha(text: string): Alpha {
  const parsed = parseAlpha(text);
  assert.ok(parsed, text);
  return parsed;
}

test("an alpha is the fraction that its text says", () => {
  assert.deepEqual(parseAlpha("0.1"), { text: "0.1", numerator: 1, denominator: 10 });
  assert.deepEqual(parseAlpha(" .250 "), { text: "0.25", numerator: 25, denominator: 100 });
  for (const text of ["", "0", "1", "0.0", "1.5", "-0.1", "1e-1", "0,1", "0.12345678"]) {
    assert.equal(parseAlpha(text), null, text);
  }
});

test("the labels that an alpha takes are those of the table", () => {
  const labels = ["0.2", "0.1", "0.05", "0.02", "0.01"].map((text) => labelsNeeded(alpha(text)));
  assert.deepEqual(labels, [4, 9, 19, 49, 99]);
  assert.equal(labelsNeeded(alpha("0.3")), 3);
});

test("an alpha is feasible from the labels it needs on, and not before", () => {
  for (const each of sliderAlphas(null)) {
    const needed = labelsNeeded(each);
    assert.ok(isFeasible(each, needed), each.text);
    assert.ok(!isFeasible(each, needed - 1), each.text);
  }
});

test("the rank is exact where floating point is not", () => {
  // ceil((1 - 0.1) * 100) is 91 in doubles.
  assert.equal(rank(alpha("0.1"), 99), 90);
  assert.equal(rank(alpha("0.1"), 40), 37);
  assert.equal(leastExceeding(alpha("0.29"), 99), 29);
  assert.equal(rank(alpha("0.05"), 10), 11);
});

test("the slider goes from 0.005 to 0.5 and stops at the target", () => {
  const texts = sliderAlphas(alpha("0.033")).map((each) => each.text);
  assert.equal(texts.length, 101);
  assert.deepEqual(texts.slice(0, 2), ["0.005", "0.01"]);
  assert.deepEqual(texts.slice(5, 8), ["0.03", "0.033", "0.035"]);
  assert.equal(texts.at(-1), "0.5");
  assert.equal(sliderAlphas(alpha("0.100")).length, 100);
});

test("the first feasible alpha of the slider follows n", () => {
  const alphas = sliderAlphas(null);
  assert.equal(alphas[firstFeasible(alphas, 40)]?.text, "0.025");
  assert.equal(alphas[firstFeasible(alphas, 199)]?.text, "0.005");
  assert.equal(firstFeasible(alphas, 0), alphas.length);
});

test("percentages are not rounded", () => {
  const percents = ["0.1", "0.005", "0.07", "0.3"].map((text) => confidencePercent(alpha(text)));
  assert.deepEqual(percents, ["90 %", "99.5 %", "93 %", "70 %"]);
});

test("a share is what the server gives each look", () => {
  const shares = (text: string, count: number) =>
    shareOf(parseAlpha(text) as Alpha, count)?.text ?? null;
  assert.equal(shares("0.1", 2), "0.05");
  assert.equal(shares("0.1", 3), "0.033333");
  assert.equal(shares("0.05", 1), "0.05");
  assert.equal(shares("0.000001", 2), null);
});
