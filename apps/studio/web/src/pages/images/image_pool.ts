// The images a sample is drawn from.
import { images } from "../../project";

/** The most images a sample can have: with subjects, one of each. Images that came after the draw
 *  have no place in its order. */
export function poolSize(): number {
  const isDrawn = images.value.some((image) => image.order !== null);
  const subjects = new Set<string>();
  let single = 0;
  for (const image of images.value) {
    if (isDrawn && image.order === null) continue;
    if (image.subject === null) ++single;
    else subjects.add(image.subject);
  }
  return subjects.size + single;
}
