// Colours for the size of a region: five steps of the plasma scale, whose lightness falls from step
// to step, so that colour-blind people and grey printers see the same order.

export interface SizeStep {
  readonly from: number;
  readonly to: number;
  readonly color: string;
  readonly label: string;
}

const steps: readonly SizeStep[] = [
  { from: 0, to: 1, color: "#f0f921", label: "0–1" },
  { from: 2, to: 3, color: "#fdb42f", label: "2–3" },
  { from: 4, to: 7, color: "#ed7953", label: "4–7" },
  { from: 8, to: 15, color: "#bf3984", label: "8–15" },
  { from: 16, to: Number.POSITIVE_INFINITY, color: "#6a00a8", label: "16 +" },
];

export const sizeSteps = steps;

/** The step that a region of `size` patches belongs to. */
export function sizeStep(size: number): SizeStep {
  return steps.find((step) => size <= step.to) ?? (steps[steps.length - 1] as SizeStep);
}

/** How much of a patch's colour shows for its p-value. The square root keeps small ones visible. */
export function heatOpacity(p: number): number {
  return p <= 0 ? 0 : Math.round(60 * Math.sqrt(Math.min(p, 1))) / 100;
}
