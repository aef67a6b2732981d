import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../types";
import { type Alpha, parseAlpha } from "./alpha";
import { alarmSentence, asSentence, guaranteeWords, reviewedSentence } from "./guarantee";

const tenth = parseAlpha("0.1") as Alpha;

const good: Status = {
  calibration: 1,
  num_images: 100,
  sample_size: 40,
  num_labeled: 40,
  num_reviewed: 0,
  num_rest: 60,
  n: 40,
  rank: 37,
  feasible: true,
  smallest_feasible_alpha: 1 / 41,
  weighted: false,
  needs: [],
  landmarks: [],
  guarantee: {
    kind: "marginal",
    alpha: "0.1",
    guaranteed_alpha: "0.1",
    by_design: true,
    waiting: false,
    why_none: "",
    holds_for: "an image of the pool, on average over the samples that might have been drawn",
    assumption: "",
  },
  look: { number: 1, count: 1, size: 40, next: null },
  alarm: { steps: [], log10_largest: 0, raised: false },
  reviewed: { images: 0, points: 0, covered: 0, images_covered: 0 },
  embedding: { done: 100, total: 100 },
  prediction: { done: 60, total: 60 },
  failed: [],
};

const none = (why_none: string): Status["guarantee"] => ({
  ...good.guarantee,
  kind: "none",
  by_design: false,
  why_none,
});

test("a guarantee by design is an average over samples, and names for whom it holds", () => {
  const words = guaranteeWords(good, tenth);
  assert.equal(words.tone, "design");
  assert.equal(words.title, "90 % on average over samples");
  assert.equal(words.short, "90 % on average");
  assert.match(words.sentence, /at least 90 % of the time, on average over samples\./);
  assert.match(words.sentence, /It holds for an image of the pool\.$/);
});

test("a planned look says its alpha, and claims the whole target", () => {
  const guarantee = { ...good.guarantee, alpha: "0.05" };
  const look = { number: 1, count: 2, size: 20, next: 40 };
  const words = guaranteeWords({ ...good, guarantee, look }, tenth);
  assert.match(words.title, /^90 %/);
  assert.match(words.sentence, /look 1: regions are those of alpha 0\.05/);
  assert.match(words.sentence, /the guarantee is for alpha 0\.1\.$/);
  // Also where labeling ended at that look.
  const ended = { number: 1, count: 1, size: 20, next: null };
  assert.match(guaranteeWords({ ...good, guarantee, look: ended }, tenth).sentence, /planned look 1/);
  const few = guaranteeWords({ ...good, guarantee, look, n: 17, feasible: false }, tenth);
  assert.equal(few.title, "2 more labels to go");
});

test("labels that a look lacks are counted, and nothing is wrong", () => {
  const guarantee = { ...none("9 of 10 images are labeled"), waiting: true };
  const look = { number: 0, count: 1, size: 0, next: 10 };
  const words = guaranteeWords({ ...good, guarantee, look, num_labeled: 9 }, tenth);
  assert.deepEqual([words.tone, words.title], ["waiting", "1 more label to go"]);
});

test("at once means every landmark of an image", () => {
  const words = guaranteeWords(
    { ...good, guarantee: { ...good.guarantee, kind: "simultaneous" } },
    tenth,
  );
  assert.match(words.title, /all landmarks/);
  assert.match(words.sentence, /all landmarks of an image/i);
});

test("on trust is not by design", () => {
  const words = guaranteeWords({ ...good, guarantee: { ...good.guarantee, by_design: false } }, tenth);
  assert.equal(words.tone, "trust");
  assert.match(words.sentence, /This is on trust/);
});

test("too few labels say how many more", () => {
  const words = guaranteeWords({ ...good, n: 7, feasible: false }, tenth);
  assert.equal(words.title, "2 more labels to go");
  assert.match(words.sentence, /Label 2 more images of the sample/);
  const small = guaranteeWords({ ...good, n: 7, sample_size: 7, feasible: false }, tenth);
  assert.match(small.sentence, /Draw and label 2/);
});

test("k takes labels, too, whatever the target", () => {
  const half = parseAlpha("0.5") as Alpha;
  const needs = [{ alpha: "0.5", labels: 4, more: 2 }];
  const guarantee = { ...good.guarantee, alpha: "0.5", guaranteed_alpha: "0.5" };
  const words = guaranteeWords({ ...good, n: 2, needs, guarantee, feasible: false }, half);
  assert.equal(words.title, "2 more labels to go");
  assert.match(words.sentence, /no regions yet/);
});

test("nothing labeled yet is not a fault, a spoilt sample is", () => {
  assert.equal(
    guaranteeWords(
      { ...good, num_labeled: 0, guarantee: { ...none("no label"), waiting: true } },
      tenth,
    ).tone,
    "waiting",
  );
  const spoilt = guaranteeWords({ ...good, guarantee: none("a.jpg was passed over") }, tenth);
  assert.equal(spoilt.tone, "none");
  assert.equal(spoilt.sentence, "a.jpg was passed over.");
});

test("an alarm comes before the guarantee", () => {
  const alarm = {
    steps: [{ image: 1, p: 0.01, log10_wealth: 2.1 }],
    log10_largest: 2.1,
    raised: true,
  };
  assert.equal(guaranteeWords({ ...good, alarm }, tenth).tone, "alarm");
  assert.match(
    alarmSentence(alarm),
    /^Highest so far: 126\. A random order would reach 100 in at most 1 of 100/,
  );
});

test("coverage of reviewed images is counted in words", () => {
  assert.equal(reviewedSentence(good.reviewed), "Nothing reviewed yet.");
  const sentence = reviewedSentence({ images: 3, points: 120, covered: 114, images_covered: 1 });
  assert.match(sentence, /^114 of 120 reviewed points \(95\.0 %\).* in 1 of 3 images all did\.$/);
});

test("sentences begin large and end with a stop", () => {
  assert.deepEqual(["", "no sample", "Really?"].map(asSentence), ["", "No sample.", "Really?"]);
});

test("the name of a file at the beginning of a sentence keeps its letters", () => {
  const sentences = ["faces.zip: not an image", "my old scan.jpg: too large", "a.b/c.png: not found"];
  assert.deepEqual(
    sentences.map(asSentence),
    sentences.map((text) => `${text}.`),
  );
  assert.equal(asSentence("images 2.5 times larger"), "Images 2.5 times larger.");
});
