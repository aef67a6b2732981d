// How images are shown: kept from image to image, and never stored.
import { signal } from "@preact/signals";

export interface Look {
  /** 1: as the image is. */
  brightness: number;
  contrast: number;
}

export const plainLook: Look = { brightness: 1, contrast: 1 };

export const look = signal<Look>(plainLook);

/** Whether points, names and regions are hidden, to see what is under them. */
export const bare = signal(false);

/** The filter of CSS that does it. */
export function filterOf({ brightness, contrast }: Look): string {
  return brightness === 1 && contrast === 1
    ? "none"
    : `brightness(${brightness}) contrast(${contrast})`;
}
