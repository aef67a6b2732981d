// Where one goes from an image of the review queue, and from a landmark of an image.
import type { QueueImage } from "../../types";

/** The image `step` places further, or the nearest end. */
export function neighbor(
  images: readonly QueueImage[],
  current: number | null,
  step: number,
): number | null {
  const at = images.findIndex((one) => one.image === current);
  if (at < 0) return images[0]?.image ?? null;
  return images[Math.max(0, Math.min(images.length - 1, at + step))]?.image ?? null;
}

/** The next image that was not reviewed, after the current one and then from the beginning. */
export function nextUnreviewed(
  images: readonly QueueImage[],
  current: number | null,
): number | null {
  const at = images.findIndex((one) => one.image === current);
  const around = [...images.slice(at + 1), ...images.slice(0, Math.max(at, 0))];
  return around.find((one) => !one.reviewed && one.image !== current)?.image ?? null;
}

/** The next landmark that is not decided, after one and then from the beginning. */
export function nextOpen(
  all: readonly number[],
  decided: ReadonlySet<number>,
  after: number | null,
): number | null {
  const at = after === null ? -1 : all.indexOf(after);
  const around = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return around.find((id) => !decided.has(id)) ?? null;
}
