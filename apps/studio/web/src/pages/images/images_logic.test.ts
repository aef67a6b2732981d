import assert from "node:assert/strict";
import { test } from "node:test";
import { isClutter, nameBelowFolder } from "./dropped_files";
import { parseSubjects, splitCells } from "./subjects";
import { forEachLimited, reasonToSkip } from "./upload_limits";

test("cells are separated as spreadsheets do it", () => {
  assert.deepEqual(splitCells("a.jpg, s1"), ["a.jpg", "s1"]);
  assert.deepEqual(splitCells("a, b.jpg\ts1"), ["a, b.jpg", "s1"]);
  assert.deepEqual(splitCells('"a, ""b"".jpg",s1'), ['a, "b".jpg', "s1"]);
  assert.deepEqual(splitCells("a.jpg;s1"), ["a.jpg", "s1"]);
});

test("subjects of unknown images are named, the others taken", () => {
  const table = parseSubjects(
    "image,subject\r\na.jpg,Ann\r\nb.jpg,\n\nc.jpg,Cy\nd.jpg\n",
    new Set(["a.jpg", "b.jpg", "d.jpg"]),
  );
  assert.deepEqual(
    [...table.subjects],
    [
      ["a.jpg", "Ann"],
      ["b.jpg", null],
    ],
  );
  assert.deepEqual(table.problems, [
    'line 5: no image "c.jpg" here',
    'line 6: no subject after "d.jpg"',
  ]);
});

test("names are paths below the folder that was dropped", () => {
  assert.equal(nameBelowFolder("/wings/left/a.jpg"), "left/a.jpg");
  assert.equal(nameBelowFolder("wings/a.jpg"), "a.jpg");
  assert.equal(nameBelowFolder("/a.jpg"), "a.jpg");
});

test("clutter of operating systems is left out", () => {
  for (const name of [".DS_Store", "a/._b.jpg", "Thumbs.db", "__MACOSX/a.jpg"])
    assert.ok(isClutter(name), name);
  assert.ok(!isClutter("a.b/c.jpg"));
});

test("never more than the limit at once, and every item once", async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  await forEachLimited([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push(item);
    --running;
  });
  assert.equal(most, 3);
  assert.deepEqual(seen.sort(), [1, 2, 3, 4, 5, 6, 7]);
});

test("nothing is begun after a stop", async () => {
  const stop = new AbortController();
  const seen: number[] = [];
  await forEachLimited(
    [1, 2, 3],
    1,
    async (item) => {
      seen.push(item);
      stop.abort();
    },
    stop.signal,
  );
  assert.deepEqual(seen, [1]);
});

test("files that are surely no images are not sent", () => {
  assert.match(reasonToSkip("notes.TXT", 10) ?? "", /not an image/);
  assert.match(reasonToSkip("a.jpg", 0) ?? "", /empty/);
  assert.equal(reasonToSkip("a.jpg", 10), null);
  assert.equal(reasonToSkip("without extension", 10), null);
});
