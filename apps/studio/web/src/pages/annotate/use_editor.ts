// Everything that can be done to the points of one image, by whatever hand.
import { useEffect, useRef, useState } from "preact/hooks";
import { announce, toast } from "../../components/toast";
import { requireName } from "../../preferences";
import { isAsAsked, laneOf } from "../../sync/entry";
import { noteShown } from "../../sync/shown_complete";
import { useReading } from "../../sync/use_reading";
import type { Edit, Landmark, PointState, ReadingNumber, StudioEvent, StudioImage } from "../../types";
import { onImage, type Position } from "../../viewer/view";
import { frozenWords, isFrozen } from "../../sync/frozen";
import { byLandmark, choose, hasPlace, nextOpen, settle, type Choice } from "./landmark_choice";
import * as undo from "../../sync/undo";

export type Editor = ReturnType<typeof useEditor>;

/** The reading of an image with its selection, and what may be done to them. */
export function useEditor(
  project: number,
  image: StudioImage,
  number: ReadingNumber,
  landmarks: Landmark[],
) {
  const lane = laneOf({ project, image: image.id, reading: number });
  const open = useReading(project, image.id, number, tellOther);
  const points = byLandmark(open.reading?.points ?? []);
  if (open.reading) noteShown(lane, landmarks.every((one) => points.has(one.id)));
  const [wish, pick] = useState<Choice>({ selected: null, target: null });
  const choice = settle(wish, landmarks, points);
  // Names are asked for once; what was clicked meanwhile happens to the points as they are then.
  const now = useRef({ open, points, choice });
  now.current = { open, points, choice };
  // Images whose regions were seen are corrected, not labeled blind, by any annotator.
  const source = image.in_sample || !image.seen ? "blind" : "correct";
  const nameOf = (id: number) => landmarks.find((one) => one.id === id)?.name ?? "";

  async function change(edits: Edit[], nudge = false): Promise<boolean> {
    if (isFrozen(image, number)) {
      toast(frozenWords);
      return false;
    }
    if ((await requireName()) === null || !now.current.open.reading) return false;
    const { reading } = now.current.open;
    const before = edits.map((edit) => undo.asItIs(reading.points, edit.landmark));
    undo.note(lane, { before, after: edits }, nudge);
    now.current.open.change(edits, source);
    return true;
  }

  function select(landmark: number): void {
    pick(choose(now.current.choice, landmark, landmarks, now.current.points));
    announce(describe(landmark));
  }

  function describe(landmark: number): string {
    const point = now.current.points.get(landmark);
    if (!point) return `${nameOf(landmark)}, not placed`;
    if (point.state === "missing") return `${nameOf(landmark)}, not visible`;
    return `${nameOf(landmark)} at ${point.x?.toFixed(1)}, ${point.y?.toFixed(1)}`;
  }

  /** Where to go after a landmark got its state. */
  function advance(landmark: number, selected: number | null): void {
    const done = new Map(now.current.points).set(landmark, {} as never);
    const target = nextOpen(landmarks, done, landmark);
    pick({ selected, target });
    const next = target === null ? "All landmarks are done." : `Next: ${nameOf(target)}.`;
    announce(`${nameOf(landmark)} ${selected === null ? "done" : "placed"}. ${next}`);
  }

  // Clicks on an image whose points are still on their way wait for them, one after the other.
  const turn = useRef<Promise<void>>(Promise.resolve());
  const left = useRef(false);
  useEffect(() => () => void (left.current = true), []);

  async function loaded(): Promise<boolean> {
    while (!now.current.open.reading && !now.current.open.error && !left.current) await pause(30);
    return now.current.open.reading !== null && !left.current;
  }

  /** Places the landmark that is next. By hand, the point stays selected, for nudging. */
  function place(at: Position, byHand: boolean): Promise<void> {
    turn.current = turn.current.then(async () => {
      if (await loaded()) await placeNow(at, byHand);
      // The next one sees what this one did.
      await pause(0);
    });
    return turn.current;
  }

  async function placeNow(at: Position, byHand: boolean): Promise<void> {
    const landmark = now.current.choice.target;
    if (landmark === null) return pick({ selected: null, target: null });
    const { x, y } = onImage(at, image);
    if (await change([{ landmark, state: "visible", x, y }])) {
      advance(landmark, byHand ? landmark : null);
    }
  }

  async function move(landmark: number, at: Position, nudge = false): Promise<void> {
    const state: PointState = now.current.points.get(landmark)?.state ?? "visible";
    const { x, y } = onImage(at, image);
    await change([{ landmark, state: state === "missing" ? "visible" : state, x, y }], nudge);
    if (!nudge) announce(`${nameOf(landmark)} moved`);
  }

  async function nudge(dx: number, dy: number): Promise<void> {
    const { choice: held, points: seen } = now.current;
    const point = held.selected === null ? undefined : seen.get(held.selected);
    if (!point || point.x === null || point.y === null) return;
    await move(point.landmark, { x: point.x + dx, y: point.y + dy }, true);
  }

  async function remove(landmark: number | null = now.current.choice.selected): Promise<void> {
    if (landmark === null || !now.current.points.has(landmark)) {
      return toast("Select the point to remove.");
    }
    if (!(await change([{ landmark, state: null }]))) return;
    pick({ selected: null, target: landmark });
    announce(`${nameOf(landmark)} removed`);
  }

  /** Not in the image: for what is selected, or else for what is next. Once more takes it back. */
  async function toggleMissing(landmark = currentLandmark()): Promise<void> {
    if (landmark === null) return;
    const missing = now.current.points.get(landmark)?.state === "missing";
    if (!(await change([{ landmark, state: missing ? null : "missing" }]))) return;
    if (missing) pick({ selected: null, target: landmark });
    else advance(landmark, null);
  }

  /** For an image that shows none of the landmarks. */
  async function markAllMissing(): Promise<void> {
    const edits = landmarks.map((one): Edit => ({ landmark: one.id, state: "missing" }));
    if (!(await change(edits))) return;
    pick({ selected: null, target: null });
    announce("All landmarks marked as not visible");
  }

  /** The place is known though it cannot be seen, as behind something; once more: it can. */
  async function toggleHidden(): Promise<void> {
    const { selected } = now.current.choice;
    const point = selected === null ? undefined : now.current.points.get(selected);
    if (!point || !hasPlace(point)) return toast("Select a point to mark it as hidden.");
    const state: PointState = point.state === "hidden" ? "visible" : "hidden";
    const edit = { landmark: point.landmark, state, x: point.x ?? 0, y: point.y ?? 0 };
    if (await change([edit])) announce(`${nameOf(point.landmark)} ${state}`);
  }

  function currentLandmark(): number | null {
    return now.current.choice.selected ?? now.current.choice.target;
  }

  function retrace(step: undo.Step | null, back: boolean): void {
    const { reading } = now.current.open;
    if (!step || !reading)
      return toast(back ? "There is nothing to undo." : "There is nothing to redo.");
    const [from, to] = back ? [step.after, step.before] : [step.before, step.after];
    if (!from.every((edit) => isAsAsked(reading, edit))) {
      undo.forget(lane);
      return toast("Another annotator changed this since; nothing was undone.");
    }
    if (isFrozen(image, number)) return toast(frozenWords);
    now.current.open.change(to, source);
    const landmark = to[0]?.landmark ?? null;
    pick({ selected: landmark, target: to[0]?.state === null ? landmark : choice.target });
    announce(back ? "Undone" : "Done again");
  }

  return {
    reading: open.reading,
    error: open.error,
    points,
    choice,
    select,
    deselect: () => pick({ ...now.current.choice, selected: null }),
    place,
    move,
    nudge,
    remove,
    toggleMissing,
    markAllMissing,
    toggleHidden,
    undo: () => retrace(undo.takeBack(lane), true),
    redo: () => retrace(undo.doAgain(lane), false),
    canUndo: undo.canTakeBack(lane),
    canRedo: undo.canDoAgain(lane),
    /** What screen readers hear on arrival. */
    describe,
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tellOther(event: StudioEvent): void {
  if (event.annotator) toast(`${event.annotator} changed this image just now.`);
}
