// What is under a finger, enlarged beside it.
import type { Picture } from "./picture";
import { drawRays, stroke } from "./rays";
import { toScreen, type Position, type Size, type View } from "./view";

const radius = 70;
const distance = 125;
/** Screen pixels of one pixel of the original that are enough to see where one is. */
const enough = 8;

export function drawLoupe(
  context: CanvasRenderingContext2D,
  picture: Picture,
  view: View,
  window: Size,
  at: Position,
): void {
  const middle = middleOf(toScreen(view, at), window);
  const scale = Math.max(Math.min(3 * view.scale, enough), 1.25 * view.scale);
  context.save();
  context.beginPath();
  context.arc(middle.x, middle.y, radius, 0, 2 * Math.PI);
  context.fillStyle = "#2b3138";
  context.fill();
  context.save();
  context.clip();
  const closer = { scale, x: middle.x - scale * at.x, y: middle.y - scale * at.y };
  picture.draw(context, closer, window, devicePixelRatio);
  context.restore();
  stroke(context, "rgb(0 0 0 / 80%)", 5);
  stroke(context, "#ffffff", 3);
  drawRays(context, middle, 4, 22, [
    ["rgb(0 0 0 / 80%)", 3],
    ["#ffffff", 1.2],
  ]);
  context.restore();
}

// Above the finger, or below it near the upper edge; never outside the window.
function middleOf(finger: Position, window: Size): Position {
  const above = finger.y - distance;
  const y = above > radius ? above : finger.y + distance;
  const x = Math.min(Math.max(finger.x, radius + 4), Math.max(window.width - radius - 4, radius));
  return { x, y: Math.min(y, window.height - radius - 4) };
}
