// The images a sample is drawn from.
import { images } from "../project";

/** The most images a sample can have: with subjects, one of each. */
export function poolSize(): number {
  const subjects = new Set<string>();
  let single = 0;
  for (const image of images.value) {
    if (image.subject === null) ++single;
    else subjects.add(image.subject);
  }
  return subjects.size + single;
}
