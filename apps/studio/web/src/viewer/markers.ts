// Points as they are drawn: an open ring in a shape of its own, which covers nothing of the image.
import type { Shape } from "../palette";
import { drawRays, stroke } from "./rays";
import { toScreen, type Position, type View } from "./view";

export interface Marker {
  id: number;
  name: string;
  /** Its place in the scheme, from 1. */
  number: number;
  /** In pixels of the original. */
  x: number;
  y: number;
  color: string;
  shape: Shape;
  /** "hidden": its place is known though it cannot be seen. "proposal": not placed yet. */
  look: "visible" | "hidden" | "proposal";
}

const radius = 7;

/** How large points are drawn where there are that many in sight: smaller among hundreds. */
export const sizeAmong = (count: number): number => (count > 120 ? 0.6 : 1);

export function drawMarker(
  context: CanvasRenderingContext2D,
  view: View,
  marker: Marker,
  selected: boolean,
  size = 1,
): void {
  const at = toScreen(view, marker);
  if (selected) drawReticle(context, at);
  context.save();
  if (marker.look === "hidden") context.setLineDash([3, 3]);
  context.lineJoin = "round";
  tracePath(context, marker.shape, at, selected ? radius + 2 : size * radius);
  // White and dark under the color: seen on every image, by everybody.
  stroke(context, "rgb(0 0 0 / 75%)", 5 * size);
  stroke(context, "#ffffff", 3.6 * size);
  // A proposal is a whole ring, so that it is found, in broken color, as it is not confirmed yet.
  if (marker.look === "proposal") context.setLineDash([2, 3]);
  stroke(context, marker.color, 2 * size);
  context.restore();
}

function drawReticle(context: CanvasRenderingContext2D, at: Position): void {
  drawRays(context, at, 12, 22, [
    ["rgb(0 0 0 / 75%)", 3.5],
    ["#ffffff", 1.5],
  ]);
}

/** The cross-hair that arrow keys move. */
export function drawCrosshair(
  context: CanvasRenderingContext2D,
  at: Position,
  color: string,
): void {
  drawRays(context, at, 4, 26, [
    ["rgb(0 0 0 / 75%)", 4],
    ["#ffffff", 2.5],
    [color, 1.2],
  ]);
}

function tracePath(
  context: CanvasRenderingContext2D,
  shape: Shape,
  { x, y }: Position,
  r: number,
): void {
  context.beginPath();
  if (shape === "circle") context.arc(x, y, r, 0, 2 * Math.PI);
  else if (shape === "square") context.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
  else if (shape === "cross") traceCross(context, x, y, r);
  else
    tracePolygon(
      context,
      x,
      y,
      shape === "triangle" ? 3 : 4,
      shape === "triangle" ? 1.25 * r : 1.2 * r,
    );
}

function tracePolygon(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  corners: number,
  r: number,
): void {
  for (let corner = 0; corner < corners; corner++) {
    const angle = (2 * Math.PI * corner) / corners - Math.PI / 2;
    context.lineTo(x + r * Math.cos(angle), y + r * Math.sin(angle));
  }
  context.closePath();
}

// A saltire: the middle stays open, as in the other shapes.
function traceCross(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  for (const [dx, dy] of [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ] as const) {
    context.moveTo(x + 0.4 * r * dx, y + 0.4 * r * dy);
    context.lineTo(x + r * dx, y + r * dy);
  }
}
