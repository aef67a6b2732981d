// Which landmark is next, and which point is in hand.
import type { Landmark, Point } from "../../types";

export interface Choice {
  /** The placed point that arrows nudge and Delete takes back. */
  selected: number | null;
  /** The landmark that the next click places; null: all are done. */
  target: number | null;
}

export type Points = ReadonlyMap<number, Point>;

export const byLandmark = (points: Point[]): Points =>
  new Map(points.map((point) => [point.landmark, point]));

export const hasPlace = (point: Point | undefined): boolean =>
  point !== undefined && point.state !== "missing";

/** The first landmark without a state, from the place after `after` on and around; null: none. */
export function nextOpen(
  landmarks: Landmark[],
  points: Points,
  after: number | null,
): number | null {
  const start = landmarks.findIndex((landmark) => landmark.id === after) + 1;
  const order = [...landmarks.slice(start), ...landmarks.slice(0, start)];
  return order.find((landmark) => !points.has(landmark.id))?.id ?? null;
}

/** Taking a landmark from the list: a placed one is selected, another is to be placed. */
export function choose(
  choice: Choice,
  landmark: number,
  landmarks: Landmark[],
  points: Points,
): Choice {
  if (!hasPlace(points.get(landmark))) return { selected: null, target: landmark };
  // One that is marked as missing is only meant as long as it is the chosen one.
  const { target } = choice;
  const stays = target !== null && !points.has(target);
  return { selected: landmark, target: stays ? target : nextOpen(landmarks, points, target) };
}

/** The neighbor in the list, of what is selected or else to be placed; null: past its end. */
export function neighbor(landmarks: Landmark[], choice: Choice, step: 1 | -1): number | null {
  const from = choice.selected ?? choice.target;
  const index = landmarks.findIndex((landmark) => landmark.id === from);
  if (index < 0) return landmarks.at(step === 1 ? 0 : -1)?.id ?? null;
  return landmarks[index + step]?.id ?? null;
}

/** What is still meant after points came or went by other hands. */
export function settle(choice: Choice, landmarks: Landmark[], points: Points): Choice {
  const known = (id: number | null) => landmarks.some((landmark) => landmark.id === id);
  const selected =
    known(choice.selected) && hasPlace(points.get(choice.selected ?? 0)) ? choice.selected : null;
  const meant = known(choice.target) && !hasPlace(points.get(choice.target ?? 0));
  const target = meant ? choice.target : nextOpen(landmarks, points, choice.target);
  return { selected, target };
}
