// Mouse, pen and fingers on the image, told apart: clicks, drags of points, panning, zooming.
import type { Position } from "./view";

export interface GestureTarget {
  /** The point under the pointer, if any: null is an empty place. */
  pointAt(at: Position, reach: number): number | null;
  zoom(at: Position, factor: number): void;
  pan(dx: number, dy: number): void;
  click(at: Position, point: number | null): void;
  /** `touch`: a finger hides what it points at, so a loupe shows it. */
  dragStart(point: number | null, at: Position, touch: boolean): void;
  dragMove(at: Position): void;
  dragEnd(at: Position, canceled: boolean): void;
  hover(at: Position | null): void;
  /** Whether points can be dragged here. */
  canDrag(): boolean;
  /** Whether an empty place can get a point: then a long press brings the loupe. */
  canPlace(): boolean;
}

type Mode = "idle" | "pressed" | "pan" | "drag" | "pinch";

const longPress = 380;

/** Follows the pointers on an element; `stop` ends that. */
export class Gestures {
  private mode: Mode = "idle";
  private readonly pointers = new Map<number, Position>();
  private start: Position = { x: 0, y: 0 };
  private last: Position = { x: 0, y: 0 };
  private point: number | null = null;
  private touch = false;
  private spaceHeld = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly ending = new AbortController();

  constructor(
    private readonly element: HTMLElement,
    private readonly target: GestureTarget,
  ) {
    const options = { signal: this.ending.signal };
    element.addEventListener("pointerdown", (event) => this.down(event), options);
    element.addEventListener("pointermove", (event) => this.move(event), options);
    element.addEventListener("pointerup", (event) => this.up(event, false), options);
    element.addEventListener("pointercancel", (event) => this.up(event, true), options);
    element.addEventListener("pointerleave", () => target.hover(null), options);
    element.addEventListener("contextmenu", (event) => event.preventDefault(), options);
    element.addEventListener("wheel", (event) => this.wheel(event), { ...options, passive: false });
    window.addEventListener("keydown", (event) => this.space(event, true), options);
    window.addEventListener("keyup", (event) => this.space(event, false), options);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.ending.abort();
  }

  private position(event: MouseEvent): Position {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private space(event: KeyboardEvent, held: boolean): void {
    if (event.code !== "Space") return;
    this.spaceHeld = held;
    this.element.classList.toggle("panning", held);
  }

  private down(event: PointerEvent): void {
    const at = this.position(event);
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) return this.beginPinch();
    if (this.pointers.size > 2) return;
    this.touch = event.pointerType === "touch";
    this.start = this.last = at;
    if (event.button === 1 || event.button === 2 || this.spaceHeld) {
      event.preventDefault();
      this.mode = "pan";
      return;
    }
    this.press(at);
  }

  private press(at: Position): void {
    this.mode = "pressed";
    this.point = this.target.pointAt(at, this.touch ? 24 : 12);
    if (this.touch && (this.point !== null ? this.target.canDrag() : this.target.canPlace())) {
      this.timer = setTimeout(() => this.beginDrag(), longPress);
    }
  }

  private beginPinch(): void {
    clearTimeout(this.timer);
    if (this.mode === "drag") this.target.dragEnd(this.last, true);
    this.mode = "pinch";
  }

  private beginDrag(): void {
    clearTimeout(this.timer);
    this.mode = "drag";
    this.target.dragStart(this.point, this.start, this.touch);
    this.target.dragMove(this.last);
  }

  private move(event: PointerEvent): void {
    const at = this.position(event);
    if (!this.pointers.has(event.pointerId)) return this.target.hover(at);
    if (this.mode === "pinch") this.pinch(event.pointerId, at);
    else this.moveOne(at);
    this.pointers.set(event.pointerId, at);
  }

  private moveOne(at: Position): void {
    if (this.mode === "pressed" && this.isFar(at)) this.decide();
    if (this.mode === "pan") this.target.pan(at.x - this.last.x, at.y - this.last.y);
    if (this.mode === "drag") this.target.dragMove(at);
    if (this.mode !== "pressed") this.last = at;
  }

  private isFar(at: Position): boolean {
    return Math.hypot(at.x - this.start.x, at.y - this.start.y) > (this.touch ? 9 : 3);
  }

  private decide(): void {
    clearTimeout(this.timer);
    if (this.point !== null && this.target.canDrag()) this.beginDrag();
    else this.mode = "pan";
  }

  private pinch(moved: number, at: Position): void {
    const others = [...this.pointers].filter(([id]) => id !== moved);
    const before = this.pointers.get(moved);
    const other = others[0]?.[1];
    if (!before || !other) return;
    const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    this.target.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    this.target.zoom(middle, Math.hypot(at.x - other.x, at.y - other.y) / Math.max(apart, 1));
  }

  private up(event: PointerEvent, canceled: boolean): void {
    if (!this.pointers.delete(event.pointerId)) return;
    clearTimeout(this.timer);
    const at = this.position(event);
    if (this.mode === "pressed" && !canceled) this.target.click(at, this.point);
    if (this.mode === "drag") this.target.dragEnd(at, canceled);
    if (this.pointers.size === 0) this.mode = "idle";
    // One finger of a pinch that stays neither clicks nor drags.
    else if (this.mode === "pinch") {
      this.mode = "pan";
      this.last = [...this.pointers.values()][0] ?? at;
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // Pinching on a track pad arrives as a wheel with ctrl, in small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    const delta = Math.min(Math.max(event.deltaY * lines, -240), 240);
    this.target.zoom(this.position(event), Math.exp(-speed * delta));
  }
}
