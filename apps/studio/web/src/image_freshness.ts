// Answers about images overtake each other: what is older than what is known comes too late.
import type { StudioImage } from "./types";

/** The images as found, with the points of those of which a later revision is known. */
export function keepNewer(
  found: readonly StudioImage[],
  known: ReadonlyMap<number, StudioImage>,
): StudioImage[] {
  return found.map((image) => {
    const seen = known.get(image.id);
    if (seen === undefined || seen.revision <= image.revision) return image;
    const { revision, complete, num_points } = seen;
    return { ...image, revision, complete, num_points };
  });
}
