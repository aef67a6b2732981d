// What can be taken back, per reading of an image. Taking back is a new change, so that the history
// keeps what really happened.
import type { Change, Edit, Point } from "../types";
import type { LaneKey } from "./entry";

export interface Step {
  before: Edit[];
  after: Edit[];
  /** Where its points came from, to do it again in the same way; review needs it. */
  source?: Change["source"];
}

interface Stack {
  done: Step[];
  undone: Step[];
  /** When the last step was made: nudges in quick succession are one step. */
  last: number;
}

const stacks = new Map<LaneKey, Stack>();
const most = 500;
const together = 1200;

function stackOf(lane: LaneKey): Stack {
  const found = stacks.get(lane);
  if (found) return found;
  const made = { done: [], undone: [], last: 0 };
  stacks.set(lane, made);
  return made;
}

/** The edit that puts a landmark back to how it is among these points. */
export function asItIs(points: readonly Point[], landmark: number): Edit {
  const point = points.find((one) => one.landmark === landmark);
  if (!point) return { landmark, state: null };
  if (point.state === "missing") return { landmark, state: "missing" };
  return { landmark, state: point.state, x: point.x ?? 0, y: point.y ?? 0 };
}

/** Notes a change. `nudge`: it joins the one before if that nudged the same point just now. */
export function note(lane: LaneKey, step: Step, nudge = false, now = Date.now()): void {
  const stack = stackOf(lane);
  const previous = stack.done.at(-1);
  if (nudge && previous && now - stack.last < together && sameLandmarks(previous, step)) {
    previous.after = step.after;
  } else {
    stack.done = [...stack.done.slice(1 - most), step];
  }
  stack.undone = [];
  stack.last = nudge ? now : 0;
}

/** The step to take back now, and moves it to the other side; null: there is none. */
export function takeBack(lane: LaneKey): Step | null {
  const stack = stackOf(lane);
  const step = stack.done.pop() ?? null;
  if (step) stack.undone.push(step);
  stack.last = 0;
  return step;
}

/** The step to do once more. */
export function doAgain(lane: LaneKey): Step | null {
  const stack = stackOf(lane);
  const step = stack.undone.pop() ?? null;
  if (step) stack.done.push(step);
  return step;
}

/** Forgets everything: another annotator changed what the steps are about. */
export function forget(lane: LaneKey): void {
  stacks.delete(lane);
}

export function canTakeBack(lane: LaneKey): boolean {
  return stackOf(lane).done.length > 0;
}

export function canDoAgain(lane: LaneKey): boolean {
  return stackOf(lane).undone.length > 0;
}

function sameLandmarks(a: Step, b: Step): boolean {
  const ids = (step: Step) => step.after.map((edit) => edit.landmark).join();
  return ids(a) === ids(b);
}
