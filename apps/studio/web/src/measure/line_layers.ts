// Lines on the image: those between landmarks, and the one that a scale is set by.
import { stroke } from "../viewer/rays";
import type { Layer, Position, Size, View } from "../viewer/viewer";
import { toScreen } from "../viewer/view";

type Line = readonly [Position, Position];

/** Screen pixels that a line keeps from its ends, where rings are. */
const ringRadius = 9;

/** False where nothing of it is left. */
function trace(
  context: CanvasRenderingContext2D,
  view: View,
  [from, to]: Line,
  inset: number,
): boolean {
  const [a, b] = [toScreen(view, from), toScreen(view, to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length <= 2 * inset) return false;
  const [dx, dy] = [((b.x - a.x) * inset) / length, ((b.y - a.y) * inset) / length];
  context.beginPath();
  context.moveTo(a.x + dx, a.y + dy);
  context.lineTo(b.x - dx, b.y - dy);
  return true;
}

/** Thin lines that leave the image to be seen. */
export class LinesLayer implements Layer {
  constructor(
    private readonly lines: readonly Line[],
    private readonly color = "rgb(255 255 255 / 85%)",
    private readonly width = 1.2,
    private readonly inset = ringRadius,
  ) {}

  draw(context: CanvasRenderingContext2D, view: View, _window: Size): void {
    for (const line of this.lines) {
      if (!trace(context, view, line, this.inset)) continue;
      stroke(context, "rgb(0 0 0 / 55%)", this.width + 1.8);
      stroke(context, this.color, this.width);
    }
  }
}

/** The lines of the skeleton whose ends have places. */
export function skeletonLines(
  skeleton: readonly (readonly [number, number])[],
  placeOf: (landmark: number) => Position | null,
): Line[] {
  return skeleton.flatMap(([from, to]) => {
    const [a, b] = [placeOf(from), placeOf(to)];
    return a === null || b === null ? [] : [[a, b] as const];
  });
}
