// How far one had zoomed in, kept from image to image: what is compared is looked at alike.
import { fit, type Position, type Size, type View } from "./view";

/** A view of any image: times the scale at which all of it fits, about a place of it. */
export interface RelativeView {
  zoom: number;
  /** The middle of the window, as shares of width and height. */
  middle: Position;
}

export function relativeTo(view: View, image: Size, window: Size): RelativeView {
  return {
    zoom: view.scale / fit(image, window).scale,
    middle: {
      x: (window.width / 2 - view.x) / view.scale / image.width,
      y: (window.height / 2 - view.y) / view.scale / image.height,
    },
  };
}

export function viewOfRelative({ zoom, middle }: RelativeView, image: Size, window: Size): View {
  const scale = zoom * fit(image, window).scale;
  return {
    scale,
    x: window.width / 2 - scale * middle.x * image.width,
    y: window.height / 2 - scale * middle.y * image.height,
  };
}

const kept = new Map<number, RelativeView>();

/** What is kept for the images of a project; null: the whole image. */
export const keptZoom = (project: number): RelativeView | null => kept.get(project) ?? null;

export function keepZoom(project: number, view: RelativeView | null): void {
  if (view === null) kept.delete(project);
  else kept.set(project, view);
}
