// Which image is labeled next.
import type { StudioImage } from "../../types";

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
