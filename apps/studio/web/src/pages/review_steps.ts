// What review does to an image, as steps that can be taken back.
import type { Change, Edit, Point } from "../types";

export interface Step {
  before: Edit[];
  after: Edit[];
  source: Change["source"];
  /** Continues the step before it, as each press of an arrow key does: undone together. */
  joins: boolean;
}

export interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const noSteps: Steps = { done: [], undone: [] };

/** The edit that makes a landmark what it is now. */
export function editOf(landmark: number, points: readonly Point[]): Edit {
  const point = points.find((one) => one.landmark === landmark);
  if (point === undefined) return { landmark, state: null };
  if (point.state === "missing" || point.x === null || point.y === null) return { landmark, state: "missing" };
  return { landmark, state: point.state, x: point.x, y: point.y };
}

/** A step from the present points to the edited ones. */
export function stepOf(edits: Edit[], source: Change["source"], points: readonly Point[], joins = false): Step {
  return { before: edits.map((edit) => editOf(edit.landmark, points)), after: edits, source, joins };
}

function continues(step: Step, last: Step | undefined): last is Step {
  return step.joins && last?.joins === true && last.after[0]?.landmark === step.after[0]?.landmark;
}

export function withStep(steps: Steps, step: Step): Steps {
  const last = steps.done.at(-1);
  if (!continues(step, last)) return { done: [...steps.done, step], undone: [] };
  return { done: [...steps.done.slice(0, -1), { ...step, before: last.before }], undone: [] };
}

/** The step to take back, and the steps without it; null where there is none. */
export function undo(steps: Steps): { step: Step; steps: Steps } | null {
  const step = steps.done.at(-1);
  if (step === undefined) return null;
  return { step, steps: { done: steps.done.slice(0, -1), undone: [...steps.undone, step] } };
}

/** The step to take again, and the steps with it; null where there is none. */
export function redo(steps: Steps): { step: Step; steps: Steps } | null {
  const step = steps.undone.at(-1);
  if (step === undefined) return null;
  return { step, steps: { done: [...steps.done, step], undone: steps.undone.slice(0, -1) } };
}
