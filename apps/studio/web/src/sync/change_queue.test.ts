import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edit } from "../types";
import type { Draft } from "./entry";
import { FakeServer, FakeTab } from "./fake_server";

const lane = "1/7/1";
const at = (landmark: number, x: number): Edit => ({ landmark, state: "visible", x, y: 1 });
const draft = (...edits: Edit[]): Draft => ({
  project: 1,
  image: 7,
  reading: 1,
  annotator: "Ada",
  source: "blind",
  edits,
});
const placesOf = (server: FakeServer) =>
  Object.fromEntries(server.reading(lane).points.map((point) => [point.landmark, point.x]));

test("changes arrive in order, each on the revision that the one before it made", async () => {
  const tab = new FakeTab(new FakeServer());
  for (const landmark of [1, 2, 3]) tab.queue.add(draft(at(landmark, landmark)), 0);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 1, 2: 2, 3: 3 });
  assert.equal(tab.server.reading(lane).revision, 3);
  assert.deepEqual(tab.saved, []);
});

test("a server that is away gets every change when it is back", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.trouble.push("down", "down", "down", "down");
  tab.queue.add(draft(at(1, 10)), 0);
  tab.queue.add(draft(at(2, 20)), 0);
  await tab.answers();
  assert.equal(tab.queue.isCutOff, true);
  assert.equal(tab.saved.length, 2);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 10, 2: 20 });
  assert.equal(tab.queue.isCutOff, false);
});

test("a lost answer makes no change happen twice, and no conflict with oneself", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.trouble.push("answer lost", "down");
  tab.queue.add(draft(at(1, 10)), 0);
  tab.queue.add(draft(at(1, 11)), 0);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 11 });
  assert.equal(tab.server.reading(lane).revision, 2);
  assert.deepEqual(tab.queue.stops(), []);
});

test("a lost answer does not hide another annotator's change", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.trouble.push("answer lost");
  tab.queue.add(draft(at(1, 10)), 0);
  tab.queue.add(draft(at(2, 20)), 0);
  await tab.answers();
  tab.server.changedBy("Bo", lane, [at(2, 99)]);
  await tab.settle();
  assert.equal(tab.queue.stops()[0]?.stop.kind, "conflict");
  assert.deepEqual(placesOf(tab.server), { 1: 10, 2: 99 });
});

test("a conflict stops the image until the user decides; mine goes on top of theirs", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.changedBy("Bo", lane, [at(1, 5), at(3, 7)]);
  tab.queue.add(draft(at(1, 10)), 0);
  tab.queue.add(draft(at(2, 20)), 0);
  await tab.settle();
  assert.equal(tab.server.sent, 1);
  assert.equal(tab.saved.length, 2);
  tab.queue.keepMine(lane);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 10, 2: 20, 3: 7 });
  assert.deepEqual(tab.saved, []);
});

test("a conflict can be settled for the other side", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.changedBy("Bo", lane, [at(1, 5)]);
  tab.queue.add(draft(at(1, 10)), 0);
  await tab.settle();
  tab.queue.takeTheirs(lane);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 5 });
  assert.equal(tab.acknowledged.at(-1)?.changed_by, "Bo");
});

test("where both did the same there is nothing to decide", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.changedBy("Bo", lane, [at(1, 10)]);
  tab.queue.add(draft(at(1, 10)), 0);
  await tab.settle();
  assert.deepEqual(tab.queue.stops(), []);
  assert.deepEqual(tab.saved, []);
});

test("an image in conflict does not hold up another", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.changedBy("Bo", lane, [at(1, 5)]);
  tab.queue.add(draft(at(1, 10)), 0);
  tab.queue.add({ ...draft(at(1, 3)), image: 8 }, 0);
  await tab.settle();
  assert.equal(tab.server.reading("1/8/1").revision, 1);
});

test("what is refused for good waits for the user and is not sent again by itself", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.trouble.push("refused");
  tab.queue.add(draft(at(1, 10)), 0);
  await tab.settle();
  assert.equal(tab.server.sent, 1);
  assert.equal(tab.saved.length, 1);
  tab.queue.tryAgain(lane);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 10 });
});

test("a point nudged while a request is on its way is sent once, where it ended", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.queue.add(draft(at(1, 0)), 0);
  for (let x = 1; x <= 50; x++) tab.queue.add(draft(at(1, x)), 0);
  await tab.settle();
  assert.deepEqual(placesOf(tab.server), { 1: 50 });
  assert.equal(tab.server.sent, 2);
});

test("what was sent is never altered, as the server may have it", async () => {
  const tab = new FakeTab(new FakeServer());
  tab.server.trouble.push("answer lost");
  tab.queue.add(draft(at(1, 1)), 0);
  await tab.answers();
  tab.queue.add(draft(at(1, 2)), 0);
  await tab.settle();
  assert.equal(tab.server.reading(lane).revision, 2);
  assert.deepEqual(placesOf(tab.server), { 1: 2 });
});

test("the next tab sends what a closed one left, also what got no answer", async () => {
  const server = new FakeServer();
  const closed = new FakeTab(server);
  server.trouble.push("answer lost", ...Array<"down">(1000).fill("down"));
  closed.queue.add(draft(at(1, 10)), 0);
  closed.queue.add(draft(at(2, 20)), 0);
  await closed.settle();
  server.trouble.length = 0;
  const next = new FakeTab(server);
  next.queue.adopt(closed.saved);
  next.queue.adopt(closed.saved);
  await next.settle();
  assert.deepEqual(placesOf(server), { 1: 10, 2: 20 });
  assert.equal(server.reading(lane).revision, 2);
});

test("changes of a closed tab conflict with one's own rather than overwrite them", async () => {
  const server = new FakeServer();
  const closed = new FakeTab(server);
  server.trouble.push(...Array<"down">(1000).fill("down"));
  closed.queue.add(draft(at(1, 10)), 0);
  await closed.answers();
  server.trouble.length = 0;
  const next = new FakeTab(server);
  next.queue.add(draft(at(1, 30)), 0);
  next.queue.adopt(closed.saved);
  await next.settle();
  assert.equal(next.queue.stops()[0]?.stop.kind, "conflict");
  assert.deepEqual(placesOf(server), { 1: 30 });
});

test("whatever fails in whatever order, each change happens exactly once", async () => {
  const troubles = ["down", "answer lost", "fine", "fine"] as const;
  for (let seed = 1; seed <= 200; seed++) {
    const tab = new FakeTab(new FakeServer());
    let state = seed;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let landmark = 1; landmark <= 8; landmark++) {
      const trouble = troubles[Math.floor(random() * troubles.length)];
      if (trouble && trouble !== "fine") tab.server.trouble.push(trouble);
      tab.queue.add(draft(at(landmark, landmark)), tab.acknowledged.at(-1)?.revision ?? 0);
      if (random() < 0.5) await tab.answers();
    }
    await tab.settle();
    assert.equal(tab.server.reading(lane).revision, 8, `seed ${seed}`);
    assert.deepEqual(tab.saved, []);
  }
});
