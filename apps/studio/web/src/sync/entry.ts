// A change on its way to the server, and what it does to the points one sees.
import type { Change, Edit, Point, Reading, ReadingNumber } from "../types";

/** A change of one reading of one image, as the page submits it. */
export interface Draft {
  project: number;
  image: number;
  reading: ReadingNumber;
  annotator: string;
  source: Change["source"];
  edits: Edit[];
}

/** A draft in the queue. Once `sent`, it is never altered: the server knows it by `change`. */
export interface Entry extends Draft {
  change: string;
  /** The revision that was seen; null: that which the entry before it brings about. */
  base: number | null;
  at: string;
  sent: boolean;
}

/** Names one reading of one image: changes are sent in order within it. */
export type LaneKey = string;

export const laneOf = (what: { project: number; image: number; reading: ReadingNumber }): LaneKey =>
  `${what.project}/${what.image}/${what.reading}`;

/** A UUID, also where the page came over plain HTTP from another machine (no randomUUID there). */
export function newChangeId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What the entry asks of the server. */
export function changeOf(entry: Entry): Change {
  const { change, reading, base, annotator, source, edits } = entry;
  return { change, reading, base: base ?? 0, annotator, source, edits };
}

/** One edit per landmark, the last one, in the order in which landmarks were first touched. */
export function mergeEdits(edits: Edit[]): Edit[] {
  const last = new Map<number, Edit>();
  for (const edit of edits) last.set(edit.landmark, edit);
  return [...last.values()];
}

/** Whether the later draft only does again what the earlier one does, as nudging a point does. */
export function replaces(later: Draft, earlier: Entry): boolean {
  if (earlier.sent || later.annotator !== earlier.annotator || later.source !== earlier.source) {
    return false;
  }
  const touched = new Set(later.edits.map((edit) => edit.landmark));
  return earlier.edits.every((edit) => touched.has(edit.landmark));
}

/** The points after the entries were applied to them. */
export function applyEntries(points: Point[], entries: Entry[]): Point[] {
  const shown = new Map(points.map((point) => [point.landmark, point]));
  for (const entry of entries) {
    for (const edit of entry.edits) apply(shown, edit, entry);
  }
  return [...shown.values()];
}

function apply(shown: Map<number, Point>, edit: Edit, entry: Entry): void {
  shown.delete(edit.landmark);
  if (edit.state === null) return;
  shown.set(edit.landmark, {
    landmark: edit.landmark,
    state: edit.state,
    x: edit.state === "missing" ? null : (edit.x ?? null),
    y: edit.state === "missing" ? null : (edit.y ?? null),
    annotator: entry.annotator,
    at: entry.at,
    source: entry.source,
  });
}

/** Whether the reading already has what the edit asks for. */
export function isAsAsked(reading: Reading, edit: Edit): boolean {
  const point = reading.points.find((one) => one.landmark === edit.landmark);
  if (!point || edit.state === null) return !point && edit.state === null;
  if (point.state !== edit.state) return false;
  return edit.state === "missing" || (point.x === edit.x && point.y === edit.y);
}

/** Whether this is an entry; what lies in localStorage may be anything. */
export function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Entry> | null;
  return (
    typeof entry === "object" &&
    entry !== null &&
    typeof entry.change === "string" &&
    typeof entry.project === "number" &&
    typeof entry.image === "number" &&
    (entry.reading === 1 || entry.reading === 2) &&
    Array.isArray(entry.edits)
  );
}
