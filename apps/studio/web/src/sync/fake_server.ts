// For tests: a server that keeps readings as the real one does, and fails when told to; and clocks
// that stand still until they are told to go on.
import type { Change, Edit, Reading } from "../types";
import { applyEntries, changeOf, laneOf, type Entry, type LaneKey } from "./entry";
import { ChangeQueue, type Failure } from "./change_queue";

export class FakeServer {
  readonly readings = new Map<LaneKey, Reading>();
  readonly changes = new Map<string, Change>();
  /** What happens to the next requests, one each; none: they work. */
  readonly trouble: ("down" | "answer lost" | "refused")[] = [];
  sent = 0;

  reading(lane: LaneKey): Reading {
    const none = { revision: 0, points: [], complete: false, changed_by: "", changed_at: "" };
    return this.readings.get(lane) ?? none;
  }

  async take(entry: Entry): Promise<Reading> {
    this.sent += 1;
    const trouble = this.trouble.shift();
    if (trouble === "down") throw { kind: "passing" } satisfies Failure;
    if (trouble === "refused") throw { kind: "refused", message: "no" } satisfies Failure;
    const reading = this.store(entry);
    if (trouble === "answer lost") throw { kind: "passing" } satisfies Failure;
    return reading;
  }

  /** As if another annotator had made a change. */
  changedBy(annotator: string, lane: LaneKey, edits: Edit[]): void {
    const [project, image, reading] = lane.split("/").map(Number) as [number, number, 1 | 2];
    const base = this.reading(lane).revision;
    const draft = { project, image, reading, annotator, source: "blind" as const, edits };
    const change = `${annotator} ${this.changes.size}`;
    this.store({ ...draft, change, base, at: "then", sent: true });
  }

  private store(entry: Entry): Reading {
    const lane = laneOf(entry);
    const current = this.reading(lane);
    if (this.changes.has(entry.change)) return current;
    if (entry.base !== current.revision) throw { kind: "conflict", current } satisfies Failure;
    this.changes.set(entry.change, structuredClone(changeOf(entry)));
    const reading = {
      revision: current.revision + 1,
      points: applyEntries(current.points, [entry]),
      complete: false,
      changed_by: entry.annotator,
      changed_at: "then",
    };
    this.readings.set(lane, reading);
    return reading;
  }
}

/** A queue as one tab has it, with what it saved and what it waits for. */
export class FakeTab {
  saved: Entry[] = [];
  readonly acknowledged: Reading[] = [];
  private readonly timers = new Set<() => void>();
  readonly queue: ChangeQueue;

  constructor(readonly server: FakeServer) {
    this.queue = new ChangeQueue({
      send: (entry) => {
        if (!this.saved.some((one) => one.change === entry.change)) throw new Error("not saved");
        return server.take(structuredClone(entry));
      },
      failureOf: (error) => error as Failure,
      save: (entries) => (this.saved = structuredClone(entries)),
      acknowledged: (_, reading) => this.acknowledged.push(reading),
      changed: () => {},
      after: (_, run) => {
        this.timers.add(run);
        return () => this.timers.delete(run);
      },
      now: () => "now",
    });
  }

  /** Lets everything happen that would, over time. */
  async settle(): Promise<void> {
    for (let round = 0; round < 60; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = [...this.timers];
      this.timers.clear();
      due.forEach((run) => run());
    }
  }

  /** Lets answers arrive, but no clock go on. */
  async answers(): Promise<void> {
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
  }
}
