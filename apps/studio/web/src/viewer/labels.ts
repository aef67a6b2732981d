// Names beside points: each where it overlaps neither a point nor another name, else nowhere.
import type { Marker } from "./markers";
import { toScreen, type Position, type Size, type View } from "./view";

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Label {
  text: string;
  marker: Marker;
  box: Box;
}

const height = 18;
const gap = 11;
const font = "600 12px system-ui, sans-serif";

/** The labels to draw; those of `first` (selected, under the pointer) are placed in any case, and
 * that of `selected` clear of its reticle. */
export function placeLabels(
  context: CanvasRenderingContext2D,
  view: View,
  window: Size,
  markers: Marker[],
  first: ReadonlySet<number>,
  selected: number | null,
): Label[] {
  context.font = font;
  const seen = markers.filter((marker) => isSeen(toScreen(view, marker), window));
  const taken = seen.map((marker) => around(toScreen(view, marker)));
  const placed: Label[] = [];
  for (const marker of [...seen].sort((a, b) => rank(a, first) - rank(b, first))) {
    const text = marker.name;
    const width = Math.min(context.measureText(text).width, 190) + 10;
    const clear = marker.id === selected ? 26 : gap;
    const boxes = candidates(toScreen(view, marker), width, clear);
    const box = freeBox(boxes, taken, window, first.has(marker.id));
    if (!box) continue;
    taken.push(box);
    placed.push({ text, marker, box });
  }
  return placed;
}

function rank(marker: Marker, first: ReadonlySet<number>): number {
  return first.has(marker.id) ? -1 : marker.number;
}

function isSeen(at: Position, window: Size): boolean {
  return at.x > -10 && at.y > -10 && at.x < window.width + 10 && at.y < window.height + 10;
}

function around(at: Position): Box {
  return { left: at.x - 6, top: at.y - 6, right: at.x + 6, bottom: at.y + 6 };
}

function freeBox(boxes: Box[], taken: Box[], window: Size, force: boolean): Box | null {
  const inside = boxes.filter((box) => box.left >= 0 && box.right <= window.width);
  const free = inside.find((box) => !taken.some((other) => overlap(box, other)));
  return free ?? (force ? (inside[0] ?? boxes[0] ?? null) : null);
}

// Right, left, above, below, then the corners.
function candidates(at: Position, width: number, gap: number): Box[] {
  const places: [number, number][] = [
    [at.x + gap, at.y - height / 2],
    [at.x - gap - width, at.y - height / 2],
    [at.x - width / 2, at.y - gap - height],
    [at.x - width / 2, at.y + gap],
    [at.x + gap - 3, at.y - gap - height + 3],
    [at.x + gap - 3, at.y + gap - 3],
    [at.x - gap - width + 3, at.y - gap - height + 3],
    [at.x - gap - width + 3, at.y + gap - 3],
  ];
  return places.map(([left, top]) => ({ left, top, right: left + width, bottom: top + height }));
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export function drawLabel(context: CanvasRenderingContext2D, label: Label, strong: boolean): void {
  const { left, top, right } = label.box;
  context.font = font;
  context.textBaseline = "middle";
  context.fillStyle = strong ? "rgb(0 0 0 / 88%)" : "rgb(15 20 26 / 68%)";
  context.beginPath();
  context.roundRect(left, top, right - left, height, 4);
  context.fill();
  context.fillStyle = label.marker.color;
  context.fillRect(left, top + 3, 3, height - 6);
  context.fillStyle = "#ffffff";
  context.fillText(label.text, left + 6, top + height / 2 + 0.5, right - left - 9);
}
