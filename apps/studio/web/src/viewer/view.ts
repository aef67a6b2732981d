// How the image lies in the window: pure functions, in CSS pixels and pixels of the original.

export interface Size {
  width: number;
  height: number;
}

export interface Position {
  x: number;
  y: number;
}

/** Screen = offset + scale * image. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** The screen pixels of one pixel of the original at most. */
const largestScale = 64;
/** Screen pixels of the image that always stay in the window. */
const margin = 48;

export const toScreen = (view: View, at: Position): Position => ({
  x: view.x + view.scale * at.x,
  y: view.y + view.scale * at.y,
});

export const toImage = (view: View, at: Position): Position => ({
  x: (at.x - view.x) / view.scale,
  y: (at.y - view.y) / view.scale,
});

/** The whole image in the middle of the window, small ones enlarged. */
export function fit(image: Size, window: Size, border = 16): View {
  const scale = clampScale(
    Math.min(
      (window.width - 2 * border) / image.width,
      (window.height - 2 * border) / image.height,
    ),
  );
  return centered(image, window, scale);
}

function centered(image: Size, window: Size, scale: number): View {
  return {
    scale,
    x: (window.width - scale * image.width) / 2,
    y: (window.height - scale * image.height) / 2,
  };
}

/** As large as the window allows with all of the box in it. */
export function fitBox(box: { from: Position; to: Position }, window: Size, border = 60): View {
  const width = Math.max(box.to.x - box.from.x, 1);
  const height = Math.max(box.to.y - box.from.y, 1);
  const scale = clampScale(
    Math.min((window.width - 2 * border) / width, (window.height - 2 * border) / height, 8),
  );
  return {
    scale,
    x: window.width / 2 - scale * (box.from.x + width / 2),
    y: window.height / 2 - scale * (box.from.y + height / 2),
  };
}

function clampScale(scale: number): number {
  return Math.min(Math.max(scale, 0.002), largestScale);
}

/** Enlarged by the factor, with what is under the pointer staying there. */
export function zoomAbout(
  view: View,
  at: Position,
  factor: number,
  image: Size,
  window: Size,
): View {
  const least = Math.min(fit(image, window).scale / 4, 1);
  const scale = Math.max(clampScale(view.scale * factor), least);
  const fixed = toImage(view, at);
  return keepInside({ scale, x: at.x - scale * fixed.x, y: at.y - scale * fixed.y }, image, window);
}

export function pan(view: View, dx: number, dy: number, image: Size, window: Size): View {
  return keepInside({ scale: view.scale, x: view.x + dx, y: view.y + dy }, image, window);
}

/** Moved no further than needed for the position to lie well inside the window. */
export function reveal(view: View, at: Position, image: Size, window: Size): View {
  const border = Math.min(80, window.width / 4, window.height / 4);
  const seen = toScreen(view, at);
  const dx = toward(seen.x, border, window.width - border);
  const dy = toward(seen.y, border, window.height - border);
  return dx === 0 && dy === 0 ? view : pan(view, dx, dy, image, window);
}

function toward(value: number, from: number, to: number): number {
  return value < from ? from - value : value > to ? to - value : 0;
}

function keepInside(view: View, image: Size, window: Size): View {
  return {
    scale: view.scale,
    x: bounded(view.x, view.scale * image.width, window.width),
    y: bounded(view.y, view.scale * image.height, window.height),
  };
}

function bounded(offset: number, length: number, window: number): number {
  return Math.min(Math.max(offset, margin - length), window - margin);
}

/** The position with at most two decimals, inside the image: what is sent to the server. */
export function onImage(at: Position, image: Size): Position {
  return { x: within(at.x, image.width), y: within(at.y, image.height) };
}

function within(value: number, length: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Math.min(Math.max(rounded, 0), Math.round(length * 100 - 1) / 100);
}
