// How often regions may be asked to hold the true place.
import { confidencePercent, labelsNeeded, parseAlpha } from "./alpha";

/** What most people ask for, as alphas; the server tells the price of the same. */
export const usualTargets = ["0.2", "0.1", "0.05", "0.02", "0.01"];

/** A target as people say it: "90 % (alpha 0.1): needs 9 labels". */
function targetText(text: string): string {
  const alpha = parseAlpha(text);
  if (alpha === null) return text;
  return `${confidencePercent(alpha)} (alpha ${alpha.text}): needs ${labelsNeeded(alpha)} labels`;
}

/** Targets to choose from, and the present one where it is another. */
export function targetOptions(present: string): { value: string; text: string }[] {
  const all = usualTargets.includes(present) ? usualTargets : [present, ...usualTargets];
  return all.map((value) => ({ value, text: targetText(value) }));
}
