// The queue of changes. It may never lose one: what is added is saved before it is sent, sent in
// order per image until the server acknowledges it, and only then forgotten.
import type { Reading } from "../types";
import { isAsAsked, laneOf, mergeEdits, newChangeId, replaces } from "./entry";
import type { Draft, Entry, LaneKey } from "./entry";

/** Why an image's changes wait for the user. */
export type Stop = { kind: "conflict"; current: Reading } | { kind: "refused"; message: string };

/** How sending ended, other than by acknowledgement. */
export type Failure = Stop | { kind: "passing" };

export interface QueueWorld {
  /** Resolves with the reading as the server has it now. */
  send(entry: Entry): Promise<Reading>;
  /** What an error of `send` means. */
  failureOf(error: unknown): Failure;
  /** Keeps all entries where a reload finds them; called before anything is sent. */
  save(entries: Entry[]): void;
  /** The server acknowledged, or told in a conflict, what it has. */
  acknowledged(lane: LaneKey, reading: Reading): void;
  /** Entries, stops or the state of sending changed. */
  changed(): void;
  /** Calls back after the time; returns how to call it off. */
  after(milliseconds: number, run: () => void): () => void;
  now(): string;
}

interface Lane {
  entries: Entry[];
  sending: boolean;
  failures: number;
  stop: Stop | null;
  callOff: () => void;
}

const nothing = () => {};
const shortest = 500;
const longest = 10_000;

export class ChangeQueue {
  private readonly lanes = new Map<LaneKey, Lane>();

  constructor(private readonly world: QueueWorld) {}

  /** Adds a change. `base` is the revision that was seen, where no other change waits. */
  add(draft: Draft, base: number): void {
    const lane = this.lane(laneOf(draft));
    const last = lane.entries.at(-1);
    if (last && replaces(draft, last)) {
      last.edits = mergeEdits([...last.edits, ...draft.edits]);
      last.at = this.world.now();
    } else {
      lane.entries.push(this.entry(draft, last ? null : base));
    }
    this.save();
    this.pump(laneOf(draft));
  }

  /** Takes over what a closed tab left. What is here already is not taken twice. */
  adopt(entries: Entry[]): void {
    const known = new Set(this.all().map((entry) => entry.change));
    const fresh = entries.filter((entry) => !known.has(entry.change));
    for (const entry of fresh) this.lane(laneOf(entry)).entries.push(entry);
    this.save();
    for (const entry of fresh) this.pump(laneOf(entry));
  }

  waiting(key: LaneKey): Entry[] {
    return this.lanes.get(key)?.entries ?? [];
  }

  all(): Entry[] {
    return [...this.lanes.values()].flatMap((lane) => lane.entries);
  }

  /** Whether the last attempt of some image did not reach the server. */
  get isCutOff(): boolean {
    return [...this.lanes.values()].some((lane) => lane.failures > 0);
  }

  stops(): { lane: LaneKey; stop: Stop; entries: Entry[] }[] {
    return [...this.lanes].flatMap(([key, lane]) =>
      lane.stop ? [{ lane: key, stop: lane.stop, entries: lane.entries }] : [],
    );
  }

  /** Sends at once what waits for its next attempt. */
  retryNow(): void {
    for (const [key, lane] of this.lanes) {
      lane.callOff();
      this.pump(key);
    }
  }

  /** In a conflict: my edits once more, on top of what the server has now. */
  keepMine(key: LaneKey): void {
    const lane = this.lane(key);
    if (lane.stop?.kind !== "conflict") return;
    const { current } = lane.stop;
    const last = lane.entries.at(-1);
    const edits = mergeEdits(lane.entries.flatMap((entry) => entry.edits));
    lane.entries = last ? [this.entry({ ...draftOf(last), edits }, current.revision)] : [];
    this.resume(key, lane);
    this.world.acknowledged(key, current);
  }

  /** In a conflict: what the server has, without my edits. */
  takeTheirs(key: LaneKey): void {
    const lane = this.lane(key);
    if (lane.stop?.kind !== "conflict") return;
    const { current } = lane.stop;
    lane.entries = [];
    this.resume(key, lane);
    this.world.acknowledged(key, current);
  }

  /** After a refusal: without these changes, or the same once more. */
  discard(key: LaneKey): void {
    const lane = this.lane(key);
    lane.entries = [];
    this.resume(key, lane);
  }

  tryAgain(key: LaneKey): void {
    this.resume(key, this.lane(key));
  }

  private resume(key: LaneKey, lane: Lane): void {
    lane.stop = null;
    lane.failures = 0;
    this.save();
    this.pump(key);
  }

  private lane(key: LaneKey): Lane {
    const found = this.lanes.get(key);
    if (found) return found;
    const made = { entries: [], sending: false, failures: 0, stop: null, callOff: nothing };
    this.lanes.set(key, made);
    return made;
  }

  private entry(draft: Draft, base: number | null): Entry {
    return { ...draft, change: newChangeId(), base, at: this.world.now(), sent: false };
  }

  private save(): void {
    this.world.save(this.all());
    this.world.changed();
  }

  private pump(key: LaneKey): void {
    const lane = this.lane(key);
    const [first] = lane.entries;
    if (!first || lane.sending || lane.stop) return;
    lane.callOff();
    lane.sending = true;
    first.sent = true;
    this.save();
    this.world.send(first).then(
      (reading) => this.finish(key, lane, first, reading),
      (error) => this.fail(key, lane, error),
    );
  }

  private finish(key: LaneKey, lane: Lane, sent: Entry, reading: Reading): void {
    lane.sending = false;
    lane.failures = 0;
    lane.entries = lane.entries.filter((entry) => entry !== sent);
    const [next] = lane.entries;
    // A repeated answer may hold others' later changes, which the next entry has not seen. It
    // stands on the revision that its predecessor made; the server says whether that is the last.
    if (next && next.base === null) {
      next.base = Math.min(reading.revision, (sent.base ?? 0) + 1);
    }
    this.world.acknowledged(key, reading);
    this.save();
    this.pump(key);
  }

  private fail(key: LaneKey, lane: Lane, error: unknown): void {
    lane.sending = false;
    const failure = this.world.failureOf(error);
    if (failure.kind === "passing") this.wait(key, lane);
    else this.halt(key, lane, failure);
    this.world.changed();
  }

  private wait(key: LaneKey, lane: Lane): void {
    const pause = Math.min(shortest * 2 ** lane.failures, longest);
    lane.failures += 1;
    lane.callOff = this.world.after(pause, () => this.pump(key));
  }

  private halt(key: LaneKey, lane: Lane, stop: Stop): void {
    lane.stop = stop;
    lane.failures = 0;
    // Nothing to decide where others did the same.
    const edits = mergeEdits(lane.entries.flatMap((entry) => entry.edits));
    if (stop.kind === "conflict" && edits.every((edit) => isAsAsked(stop.current, edit))) {
      this.takeTheirs(key);
    }
  }
}

function draftOf(entry: Entry): Draft {
  const { project, image, reading, annotator, source, edits } = entry;
  return { project, image, reading, annotator, source, edits };
}
