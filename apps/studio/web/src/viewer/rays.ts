// Four lines around a middle that stays open.
import type { Position } from "./view";

/** Strokes on top of each other, the widest first: seen on every image. */
type Strokes = readonly (readonly [style: string, width: number])[];

const directions = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

export function drawRays(
  context: CanvasRenderingContext2D,
  { x, y }: Position,
  from: number,
  to: number,
  strokes: Strokes,
): void {
  context.beginPath();
  for (const [dx, dy] of directions) {
    context.moveTo(x + from * dx, y + from * dy);
    context.lineTo(x + to * dx, y + to * dy);
  }
  for (const [style, width] of strokes) stroke(context, style, width);
}

/** Strokes the path that was traced last. */
export function stroke(context: CanvasRenderingContext2D, style: string, width: number): void {
  context.strokeStyle = style;
  context.lineWidth = width;
  context.stroke();
}
