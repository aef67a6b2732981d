import assert from "node:assert/strict";
import { test } from "node:test";
import { mostWhole, shownOf } from "./rows_in_sight";

const layout = { offset: 0, window: 600, pitch: 60, columns: 1 };

test("a short list is whole", () => {
  assert.deepEqual(shownOf(mostWhole, layout), { from: 0, to: mostWhole, before: 0, after: 0 });
  assert.deepEqual(shownOf(0, null), { from: 0, to: 0, before: 0, after: 0 });
});

test("of a long one only what is in sight exists, with room for the rest", () => {
  assert.deepEqual(shownOf(20_000, layout), { from: 0, to: 16, before: 0, after: 19_984 * 60 });
  const middle = shownOf(20_000, { ...layout, offset: 600_000 });
  assert.deepEqual(middle, { from: 9994, to: 10_016, before: 9994 * 60, after: 9984 * 60 });
});

test("every item is in sight somewhere, and rooms add up, in grids too", () => {
  for (const columns of [1, 3, 7]) {
    for (const count of [mostWhole + 1, 1000, 20_011]) {
      const rows = Math.ceil(count / columns);
      const seen = new Set<number>();
      for (let offset = 0; offset < rows * 60; offset += 300) {
        const shown = shownOf(count, { ...layout, offset, columns });
        assert.equal(shown.from % columns, 0);
        const there = Math.ceil((shown.to - shown.from) / columns);
        assert.equal(shown.before + 60 * there + shown.after, 60 * rows);
        for (let i = shown.from; i < shown.to; ++i) seen.add(i);
      }
      assert.equal(seen.size, count);
    }
  }
});

test("a list that is not in sight at all keeps its room", () => {
  for (const offset of [-5000, 20_000 * 60 + 5000]) {
    const shown = shownOf(20_000, { ...layout, offset });
    assert.equal(shown.before + (shown.to - shown.from) * 60 + shown.after, 20_000 * 60);
  }
});
