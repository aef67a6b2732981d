// The points of one image as one sees them: what the server has, and one's own changes on top.
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import * as api from "../api";
import { onEvent, onReconnect } from "../events";
import { annotator } from "../preferences";
import type { Change, Edit, Reading, ReadingNumber, StudioEvent } from "../types";
import { applyEntries, laneOf } from "./entry";
import { isOwn, onAcknowledged, submit, waitingFor } from "./sync";

export interface OpenReading {
  /** null until it is loaded. */
  reading: Reading | null;
  error: string | null;
  /** Shows the edits at once and sends them. Needs a loaded reading and the annotator's name. */
  change(edits: Edit[], source: Change["source"]): void;
}

interface Holder {
  reading: Reading | null;
  error: string | null;
}

/** Follows one reading of an image; `onOther` is called when another annotator changed it. */
export function useReading(
  project: number,
  image: number,
  number: ReadingNumber,
  onOther?: (event: StudioEvent) => void,
): OpenReading {
  const held = useMemo(
    () => signal<Holder>({ reading: null, error: null }),
    [project, image, number],
  );
  useEffect(() => follow(held, project, image, number, onOther), [held]);
  const { reading: stored, error } = held.value;
  const waiting = waitingFor(project, image, number);
  const reading = stored && { ...stored, points: applyEntries(stored.points, waiting) };
  const change = (edits: Edit[], source: Change["source"]) => {
    const base = held.peek().reading?.revision;
    if (base === undefined || edits.length === 0) return;
    submit({ project, image, reading: number, annotator: annotator.peek(), source, edits }, base);
  };
  return { reading, error, change };
}

function follow(
  held: { value: Holder },
  project: number,
  image: number,
  number: ReadingNumber,
  onOther?: (event: StudioEvent) => void,
): () => void {
  const lane = laneOf({ project, image, reading: number });
  let turn = 0;
  // An answer to an old question must not replace what was acknowledged since.
  const load = async () => {
    const asked = ++turn;
    try {
      const reading = await api.reading(project, image, number);
      if (asked === turn) held.value = { reading, error: null };
    } catch (error) {
      const { reading } = held.value;
      if (asked === turn)
        held.value = { reading, error: reading ? null : (error as Error).message };
    }
  };
  const heard = (event: StudioEvent) => {
    if (event.name !== "image" || event.image !== image || isOwn(event.change)) return;
    // With own changes on the way, the server's answer to them decides.
    if (waitingFor(project, image, number).length > 0) return;
    const known = held.value.reading;
    if (event.reading !== undefined && event.reading !== number) return;
    if (known && event.revision === known.revision) return;
    // An event of the other reading changes nothing here.
    void load().then(() => held.value.reading?.revision !== known?.revision && onOther?.(event));
  };
  const acknowledged = (key: string, reading: Reading) => {
    if (key !== lane) return;
    turn += 1;
    held.value = { reading, error: null };
  };
  const ends = [onEvent(heard), onReconnect(() => void load()), onAcknowledged(acknowledged)];
  void load();
  return () => {
    turn += 1;
    ends.forEach((end) => end());
  };
}
