// Labels that decided the result of an audit do not change afterwards.
import type { ReadingNumber, StudioImage } from "../types";

export const frozenWords = "The labels of a finished audit are frozen.";

export function isFrozen(image: StudioImage, reading: ReadingNumber): boolean {
  return image.audit === "finished" && reading === 1;
}
