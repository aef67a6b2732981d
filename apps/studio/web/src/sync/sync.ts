// The queue of this tab, joined to the server, to localStorage and to what pages show.
import { computed, signal } from "@preact/signals";
import { annotate, ApiError } from "../api";
import { onReconnect } from "../events";
import { noteReading } from "../project";
import type { Reading, ReadingNumber } from "../types";
import { changeOf, laneOf, type Draft, type LaneKey } from "./entry";
import { ChangeQueue, type Failure } from "./change_queue";
import { Shelf } from "./shelf";
import { openTabLock } from "./tab_lock";

const turn = signal(0);
const shelf = new Shelf(localStorage, openTabLock());
const own = new Set<string>();
const told = new Set<(lane: LaneKey, reading: Reading) => void>();

const queue = new ChangeQueue({
  send: (entry) => {
    own.add(entry.change);
    return annotate(entry.project, entry.image, changeOf(entry));
  },
  failureOf,
  save: (entries) => shelf.save(entries),
  acknowledged: (lane, reading) => told.forEach((listener) => listener(lane, reading)),
  changed: () => (turn.value += 1),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  now: () => new Date().toISOString(),
});

function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError) || error.passes) return { kind: "passing" };
  // The page is about to show the login; the change waits in localStorage.
  if (error.kind === "unauthorized") return { kind: "passing" };
  const current = error.body["current"] as Reading | undefined;
  if (error.kind === "conflict" && current) return { kind: "conflict", current };
  return { kind: "refused", message: error.message };
}

/** Shows a change at once, and sends it until the server has it. `base`: the revision seen. */
export function submit(draft: Draft, base: number): void {
  queue.add(draft, base);
}

/** Calls `listener` with each reading that the server acknowledged. */
export function onAcknowledged(listener: (lane: LaneKey, reading: Reading) => void): () => void {
  told.add(listener);
  return () => told.delete(listener);
}

/** What waits for one reading of an image; follows the queue when read in a component. */
export function waitingFor(project: number, image: number, reading: ReadingNumber) {
  void turn.value;
  return [...queue.waiting(laneOf({ project, image, reading }))];
}

/** Whether the change with this id was made in this tab. */
export const isOwn = (change: string | undefined) => change !== undefined && own.has(change);

export type SaveState =
  | { kind: "saved" }
  | { kind: "saving" | "offline" | "conflict" | "refused"; count: number; atRisk: boolean };

/** Whether everything is with the server. */
export const saveState = computed<SaveState>(() => {
  void turn.value;
  const count = queue.all().length;
  if (count === 0) return { kind: "saved" };
  const atRisk = shelf.isBroken;
  const [stop] = queue.stops();
  if (stop) return { kind: stop.stop.kind, count, atRisk };
  return { kind: queue.isCutOff ? "offline" : "saving", count, atRisk };
});

/** Images whose changes wait for the user's decision. */
export const stops = computed(() => {
  void turn.value;
  return queue.stops();
});

export const keepMine = (lane: LaneKey) => queue.keepMine(lane);
export const takeTheirs = (lane: LaneKey) => queue.takeTheirs(lane);
export const discard = (lane: LaneKey) => queue.discard(lane);
export const tryAgain = (lane: LaneKey) => queue.tryAgain(lane);

const adopt = () => void shelf.adoptClosed((entries) => queue.adopt(entries));

// What the lists say of an image follows its last saved point at once.
function noteProgress(lane: LaneKey, reading: Reading): void {
  const [project, image, number] = lane.split("/").map(Number);
  if (project === undefined || image === undefined) return;
  noteReading(project, image, number === 2 ? 2 : 1, reading);
}

/** Takes over what closed tabs left, now and from time to time; called once by the shell. */
export function startSync(): void {
  onAcknowledged(noteProgress);
  adopt();
  setInterval(adopt, 10_000);
  window.addEventListener("online", () => queue.retryNow());
  onReconnect(() => queue.retryNow());
  // Where the browser keeps nothing, closing the page would lose what is not sent yet.
  window.addEventListener("beforeunload", (event) => {
    if (shelf.isBroken && queue.all().length > 0) event.preventDefault();
  });
}
