// How far off an accepted point may be, as the server reads it.
import type { Landmark } from "../../types";

export type ToleranceUnit = "px" | "mm" | "percent";

/** "5px", "2mm", "3%:left_pupil-right_pupil"; null where it is not whole. */
export function toleranceText(
  unit: ToleranceUnit,
  value: string,
  from: string,
  to: string,
): string | null {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) return null;
  if (unit !== "percent") return `${number}${unit}`;
  return from === "" || to === "" || from === to ? null : `${number}%:${from}-${to}`;
}

/** The ends of a distance that stands for the size of what is shown: a left and its right, which
 *  the eyes come first of, else the first two landmarks; null: there are none. */
export function pairForPercent(all: readonly Landmark[]): [string, string] | null {
  const pairs = all.filter((one) => one.pair !== null);
  const eyes = pairs.find((one) => /pupil|eye|orbit/i.test(one.name)) ?? pairs[0];
  if (eyes?.pair) return [eyes.name, eyes.pair];
  const [first, second] = all;
  return first && second ? [first.name, second.name] : null;
}
