// Which image is labeled next.
import { byName } from "../../by_name";
import type { ReadingNumber, StudioImage } from "../../types";

/** The next image to do, other than the one at `place`. In an ordered list the first one that is
 *  left, elsewhere the next from here and around; undefined: none is left. */
export function nextImage(
  list: readonly StudioImage[],
  place: number,
  ordered: boolean,
  isDone: (image: StudioImage) => boolean,
): StudioImage | undefined {
  const before = list.slice(0, Math.max(place, 0));
  const after = list.slice(place + 1);
  const order = ordered ? [...before, ...after] : [...after, ...before];
  return order.find((image) => !isDone(image));
}

/** Whether a reading of an image has a state for every landmark. */
export function isComplete(image: StudioImage, reading: ReadingNumber): boolean {
  return reading === 1 ? image.complete : image.complete_2;
}

/** How the list is sorted: in the random order of the draw, or by name. */
export type ListSort = "draw" | "name";

export function sorted(list: readonly StudioImage[], sort: ListSort): StudioImage[] {
  const byDraw = (a: StudioImage, b: StudioImage) =>
    (a.order ?? Infinity) - (b.order ?? Infinity) || a.id - b.id;
  return [...list].sort(sort === "name" ? byName : byDraw);
}
