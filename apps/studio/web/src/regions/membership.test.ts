import assert from "node:assert/strict";
import { test } from "node:test";
import { type Alpha, parseAlpha, sliderAlphas } from "./alpha";
import { LandmarkRegion, isMember, pValue, patchAt } from "./membership";
import { type PatchGrid, outline, outlinePath } from "./outline";

const tenth = parseAlpha("0.1") as Alpha;

function gridOf(columns: number, rows: number, side = 16): PatchGrid {
  const edges = (count: number) => Array.from({ length: count + 1 }, (_, i) => side * i);
  return { columns, rows, x: edges(columns), y: edges(rows) };
}

/** The same sequence on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

/** Whether a corner-to-corner ray meets the rings an odd number of times: the even-odd rule. */
function isInside(rings: number[][], x: number, y: number): boolean {
  let crossings = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const [x1, y1] = [ring[i] as number, ring[i + 1] as number];
      const next = (i + 2) % ring.length;
      const [x2, y2] = [ring[next] as number, ring[next + 1] as number];
      if (x1 === x2 && x1 > x && Math.min(y1, y2) < y && y < Math.max(y1, y2)) ++crossings;
    }
  }
  return crossings % 2 === 1;
}

test("a p-value equal to alpha is outside", () => {
  assert.ok(!isMember(0, 9, tenth));
  assert.ok(isMember(1, 9, tenth));
  assert.ok(isMember(0, 8, tenth));
  assert.ok(!isMember(-1, 0, tenth));
  assert.equal(pValue(3, 39), 0.1);
  assert.equal(pValue(-1, 39), 0);
});

test("sizes and members agree at every alpha", () => {
  const next = randomNumbers(1);
  for (const n of [0, 1, 8, 9, 40, 199]) {
    const exceeding = Array.from({ length: 30 }, () => Math.floor(next() * (n + 2)) - 1);
    const region = new LandmarkRegion(1, n, exceeding, gridOf(6, 5));
    for (const alpha of sliderAlphas(null)) {
      const members = exceeding.filter((count) => isMember(count, n, alpha));
      assert.equal(region.size(alpha), members.length, `n ${n}, alpha ${alpha.text}`);
    }
  }
});

test("weights up to 2^32 are compared exactly", () => {
  const next = randomNumbers(5);
  for (const units of [999_999, 4_294_967_295]) {
    for (const alpha of [...sliderAlphas(null), parseAlpha("0.123457") as Alpha]) {
      const edge = Math.floor((units + 1) * (alpha.numerator / alpha.denominator));
      const exceeding = [-2, -1, 0, 1].map((off) => Math.max(0, edge + off));
      for (let i = 0; i < 5; ++i) exceeding.push(Math.floor(next() * units));
      const exact = exceeding.filter(
        (count) =>
          BigInt(1 + count) * BigInt(alpha.denominator) >
          BigInt(alpha.numerator) * BigInt(units + 1),
      );
      const region = new LandmarkRegion(1, units, exceeding, gridOf(3, 3));
      assert.equal(region.size(alpha), exact.length, `units ${units}, alpha ${alpha.text}`);
      for (const [patch, count] of exceeding.entries()) {
        assert.equal(region.holds(patch, alpha), exact.includes(count));
      }
    }
  }
});

test("with too few labels every patch is in the region but padding", () => {
  const region = new LandmarkRegion(1, 5, [0, 5, -1, 0], gridOf(2, 2));
  assert.equal(region.size(tenth), 3);
  assert.ok(region.holds(0, tenth));
  assert.ok(!region.holds(2, tenth));
  assert.ok(!region.holds(4, tenth));
});

test("the outline of one patch is its square", () => {
  const region = new LandmarkRegion(1, 9, [0, 0, 0, 5], gridOf(2, 2));
  assert.equal(region.path(tenth), "M16 16L32 16L32 32L16 32Z");
});

test("a ring of patches has an outline around its hole", () => {
  const members = Uint8Array.from([1, 1, 1, 1, 0, 1, 1, 1, 1]);
  assert.deepEqual(outline(members, 3, 3), [
    [0, 0, 3, 0, 3, 3, 0, 3],
    [1, 2, 2, 2, 2, 1, 1, 1],
  ]);
});

test("patches that touch at a corner have rings of their own", () => {
  const members = Uint8Array.from([1, 0, 0, 1]);
  assert.deepEqual(outline(members, 2, 2), [
    [0, 0, 1, 0, 1, 1, 0, 1],
    [1, 1, 2, 1, 2, 2, 1, 2],
  ]);
});

test("the even-odd rule fills exactly the set", () => {
  const next = randomNumbers(7);
  for (let round = 0; round < 200; ++round) {
    const members = Uint8Array.from({ length: 42 }, () => (next() < 0.6 ? 1 : 0));
    const rings = outline(members, 7, 6);
    for (let patch = 0; patch < 42; ++patch) {
      const inside = isInside(rings, (patch % 7) + 0.5, Math.floor(patch / 7) + 0.5);
      assert.equal(inside, members[patch] === 1, `round ${round}, patch ${patch}`);
    }
  }
});

test("nothing has no outline", () => {
  assert.equal(outlinePath(new Uint8Array(4), gridOf(2, 2)), "");
});

test("a point lies in the patch whose left and upper edges it is on", () => {
  const grid = gridOf(3, 2);
  assert.equal(patchAt(grid, 0, 0), 0);
  assert.equal(patchAt(grid, 16, 15.9), 1);
  assert.equal(patchAt(grid, 47.9, 16), 5);
  assert.equal(patchAt(grid, 48, 0), -1);
  assert.equal(patchAt(grid, -0.1, 0), -1);
});

test("68 landmarks of 168 patches at a new alpha take less than a frame", () => {
  const next = randomNumbers(3);
  const grid = gridOf(12, 14);
  const regions = Array.from({ length: 68 }, (_, landmark) => {
    const exceeding = Array.from({ length: 168 }, () => Math.floor(next() ** 4 * 101));
    return new LandmarkRegion(landmark, 100, exceeding, grid);
  });
  const begin = performance.now();
  const drawn = regions.reduce((sum, region) => sum + region.path(tenth).length, 0);
  const milliseconds = performance.now() - begin;
  assert.ok(drawn > 0);
  // Cold, on a busy machine; warm it is a look-up.
  assert.ok(milliseconds < 100, `${milliseconds} ms`);
});
