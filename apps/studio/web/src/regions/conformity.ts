// How well the proposal of a landmark conforms, in words and colors. Red is darkest and green is
// lightest but for yellow, and every step has words, so that color alone never tells.
import type { Alpha } from "./alpha";
import type { LandmarkRegion } from "./membership";

/** What every output says of an empty region. */
export const nothingConforms = "no location conforms: check this one";

export type Conformity = "empty" | "doubtful" | "fair" | "good";

export interface ConformityStep {
  readonly kind: Conformity;
  readonly color: string;
  /** For the legend. */
  readonly label: string;
}

export const conformitySteps: readonly ConformityStep[] = [
  { kind: "empty", color: "#e5383b", label: "empty" },
  { kind: "doubtful", color: "#f39c12", label: "doubtful" },
  { kind: "fair", color: "#f7e463", label: "fair" },
  { kind: "good", color: "#5ad1a4", label: "conforms" },
];

// Proposals are the best of many patches, so that most have large p-values.
const doubtfulUpTo = 0.25;
const fairUpTo = 0.5;

/** How well a proposal with this p-value conforms, where its region is not empty. */
export function conformityOfP(p: number): Conformity {
  if (p <= doubtfulUpTo) return "doubtful";
  return p <= fairUpTo ? "fair" : "good";
}

/** How well the best patch conforms: a small region does not say that it does. */
export function conformityOf(region: LandmarkRegion, proposal: number, alpha: Alpha): Conformity {
  return region.size(alpha) === 0 ? "empty" : conformityOfP(region.p(proposal));
}

export function stepOf(kind: Conformity): ConformityStep {
  return conformitySteps.find((step) => step.kind === kind) as ConformityStep;
}

export const conformityColor = (kind: Conformity): string => stepOf(kind).color;

/** How much of a patch's color shows for its p-value. The square root keeps small ones visible. */
export function heatOpacity(p: number): number {
  return p <= 0 ? 0 : Math.round(60 * Math.sqrt(Math.min(p, 1))) / 100;
}
