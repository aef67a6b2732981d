// What the stage shows, and what it tells.
import type { Marker } from "./markers";
import type { Position, Size, View } from "./view";

/** Something drawn over the image and under the points, as regions are. */
export interface Layer {
  draw(context: CanvasRenderingContext2D, view: View, window: Size): void;
}

export interface StageContent {
  markers: Marker[];
  selected: number | null;
  layers: Layer[];
  /** Where the keyboard's cross-hair is, in pixels of the original. */
  crosshair: (Position & { color: string }) | null;
  /** Without points, names and layers, to see what is under them. */
  bare: boolean;
  /** For the image alone: "none", or brightness and contrast as CSS has them. */
  filter: string;
}

/** What the user did, in pixels of the original. Without onPlace or onMove that is not possible. */
export interface StageActions {
  onPlace?: (at: Position) => void;
  onSelect?: (marker: number) => void;
  onMove?: (marker: number, at: Position) => void;
  onHover?: (at: Position | null) => void;
  onPictureError?: () => void;
  onPictureReady?: () => void;
}

export interface Box {
  from: Position;
  to: Position;
}
