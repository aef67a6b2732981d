// Everything on the image except its component: draws it, and turns gestures into what they mean.
import { Gestures, type GestureTarget } from "./gestures";
import { drawLabel, placeLabels } from "./labels";
import { drawLoupe } from "./loupe";
import { drawCrosshair, drawMarker, sizeAmong, type Marker } from "./markers";
import { keepZoom, keptZoom, relativeTo, viewOfRelative, type RelativeView } from "./kept_zoom";
import { Picture, type PictureSource } from "./picture";
import { fit, fitBox, onImage, pan, reveal, toImage, toScreen, zoomAbout } from "./view";
import type { Position, Size, View } from "./view";
import type { Box, StageActions, StageContent } from "./stage_content";

interface Drag {
  /** null: a finger looks for the place of a new point. */
  marker: number | null;
  /** From the pointer to the point, so that it does not jump when it is taken. */
  offset: Position;
  at: Position;
  touch: boolean;
}

const nothing: StageContent = {
  markers: [],
  selected: null,
  layers: [],
  crosshair: null,
  bare: false,
  filter: "none",
};

/** How much closer than the whole image a landmark is judged. */
const closeUp = 5;

export class Stage implements GestureTarget {
  private content = nothing;
  private actions: StageActions = {};
  private picture: Picture | null = null;
  private view: View = { scale: 1, x: 0, y: 0 };
  private window: Size = { width: 0, height: 0 };
  /** What to look at when the window changes its size: the whole, a part, or as it is. */
  private fitted: "whole" | Box | RelativeView | null = "whole";
  /** The project whose images keep the zoom; null: it is not kept. */
  private keepsFor: number | null = null;
  private drag: Drag | null = null;
  private hovered: number | null = null;
  private frame = 0;
  private pictureChanged = true;
  private readonly gestures: Gestures;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly element: HTMLElement,
    private readonly below: HTMLCanvasElement,
    private readonly above: HTMLCanvasElement,
  ) {
    this.gestures = new Gestures(element, this);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.gestures.stop();
    this.observer.disconnect();
    this.picture?.close();
  }

  /** Shows an image; `keepsFor` as far as the one of the same project before. */
  show(source: PictureSource, keepsFor: number | null = null): void {
    if (this.picture?.source.preview === source.preview) return;
    this.picture?.close();
    this.drag = null;
    this.keepsFor = keepsFor;
    const kept = keepsFor === null ? null : keptZoom(keepsFor);
    this.picture = new Picture(
      source,
      () => this.redraw(true, true),
      () => this.actions.onPictureError?.(),
    );
    this.fitted = kept === null ? "whole" : kept;
    this.refit();
  }

  update(content: StageContent, actions: StageActions): void {
    this.content = content;
    this.actions = actions;
    this.below.style.filter = content.filter;
    this.redraw(false);
  }

  // ---- Moving the view

  fit(): void {
    this.fitted = "whole";
    this.refit();
    this.keep(null);
  }

  /** So close that a landmark at this place can be judged; once more: the whole image. */
  zoomTo(at: Position): void {
    const close = closeUp * fit(this.size, this.window).scale;
    const seen = toScreen(this.view, at);
    const isThere =
      this.view.scale >= 0.99 * close &&
      Math.hypot(seen.x - this.window.width / 2, seen.y - this.window.height / 2) < 2;
    if (isThere) return this.fit();
    this.fitted = null;
    const scale = Math.max(close, this.view.scale);
    this.look({
      scale,
      x: this.window.width / 2 - scale * at.x,
      y: this.window.height / 2 - scale * at.y,
    });
    this.keepView();
  }

  private keepView(): void {
    if (this.picture) this.keep(relativeTo(this.view, this.size, this.window));
  }

  private keep(view: RelativeView | null): void {
    if (this.keepsFor !== null) keepZoom(this.keepsFor, view);
  }

  fitTo(box: Box): void {
    this.fitted = box;
    this.refit();
  }

  private refit(): void {
    if (!this.picture || this.window.width === 0) return;
    if (this.fitted === "whole") this.look(fit(this.size, this.window));
    else if (this.fitted && "zoom" in this.fitted) {
      this.look(viewOfRelative(this.fitted, this.size, this.window));
    } else if (this.fitted) this.look(fitBox(this.fitted, this.window));
    else this.redraw(true);
  }

  zoomBy(factor: number): void {
    const at = this.content.crosshair ?? this.selectedMarker();
    const middle = { x: this.window.width / 2, y: this.window.height / 2 };
    this.zoom(at ? toScreen(this.view, at) : middle, factor);
  }

  reveal(at: Position): void {
    this.look(reveal(this.view, at, this.size, this.window));
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  /** The middle of what is seen, and how much of the original a screen pixel shows. */
  get middle(): Position {
    const middle = { x: this.window.width / 2, y: this.window.height / 2 };
    return onImage(toImage(this.view, middle), this.size);
  }

  get scale(): number {
    return this.view.scale;
  }

  private get size(): Size {
    return this.picture?.source.size ?? { width: 1, height: 1 };
  }

  private look(view: View): void {
    this.view = view;
    this.redraw(true);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    this.window = { width: clientWidth, height: clientHeight };
    for (const canvas of [this.below, this.above]) {
      canvas.width = Math.round(clientWidth * devicePixelRatio);
      canvas.height = Math.round(clientHeight * devicePixelRatio);
    }
    this.refit();
    // Canvases are empty now; what is drawn in the next frame only would flicker.
    this.paint();
  }

  // ---- Gestures

  pointAt(at: Position, reach: number): number | null {
    let nearest: number | null = null;
    let least = reach;
    for (const marker of this.content.bare ? [] : this.content.markers) {
      const seen = toScreen(this.view, marker);
      // Of points that lie close together, the selected one is meant.
      const bonus = marker.id === this.content.selected ? 3 : 0;
      const distance = Math.hypot(seen.x - at.x, seen.y - at.y) - bonus;
      if (distance < least) [nearest, least] = [marker.id, distance];
    }
    return nearest;
  }

  zoom(at: Position, factor: number): void {
    this.fitted = null;
    this.look(zoomAbout(this.view, at, factor, this.size, this.window));
    this.keepView();
  }

  pan(dx: number, dy: number): void {
    this.fitted = null;
    this.look(pan(this.view, dx, dy, this.size, this.window));
    this.keepView();
  }

  click(at: Position, point: number | null): void {
    if (point !== null) this.actions.onSelect?.(point);
    else if (this.isInside(at)) this.actions.onPlace?.(this.imagePosition(at));
  }

  dragStart(point: number | null, at: Position, touch: boolean): void {
    const marker = this.content.markers.find((one) => one.id === point);
    const seen = marker ? toScreen(this.view, marker) : at;
    const offset = { x: seen.x - at.x, y: seen.y - at.y };
    this.drag = { marker: point, offset, at: toImage(this.view, seen), touch };
    if (point !== null) this.actions.onSelect?.(point);
  }

  dragMove(at: Position): void {
    if (!this.drag) return;
    this.drag.at = this.dragged(at, this.drag);
    this.redraw(false);
  }

  dragEnd(at: Position, canceled: boolean): void {
    const drag = this.drag;
    this.drag = null;
    this.redraw(false);
    if (!drag || canceled) return;
    const place = this.dragged(at, drag);
    if (drag.marker !== null) this.actions.onMove?.(drag.marker, place);
    else this.actions.onPlace?.(place);
  }

  hover(at: Position | null): void {
    const found = at ? this.pointAt(at, 12) : null;
    this.element.classList.toggle("over-point", found !== null);
    if (found !== this.hovered) {
      this.hovered = found;
      this.redraw(false);
    }
    this.actions.onHover?.(at && this.isInside(at) ? this.imagePosition(at) : null);
  }

  canDrag(): boolean {
    return this.actions.onMove !== undefined;
  }

  canPlace(): boolean {
    return this.actions.onPlace !== undefined;
  }

  private dragged(at: Position, drag: Drag): Position {
    return this.imagePosition({ x: at.x + drag.offset.x, y: at.y + drag.offset.y });
  }

  private imagePosition(at: Position): Position {
    return onImage(toImage(this.view, at), this.size);
  }

  private isInside(at: Position): boolean {
    const { x, y } = toImage(this.view, at);
    return x >= 0 && y >= 0 && x < this.size.width && y < this.size.height;
  }

  // ---- Drawing

  private redraw(picture: boolean, loaded = false): void {
    this.pictureChanged ||= picture;
    if (loaded && this.picture?.isReady) this.actions.onPictureReady?.();
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.pictureChanged) this.drawPicture();
    this.pictureChanged = false;
    this.drawAbove();
  }

  private context(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const context = canvas.getContext("2d");
    context?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context?.clearRect(0, 0, this.window.width, this.window.height);
    return context;
  }

  private drawPicture(): void {
    const context = this.context(this.below);
    if (context) this.picture?.draw(context, this.view, this.window, devicePixelRatio);
    // For tests and for who looks at the page from outside: screen = offset + scale * image.
    Object.assign(this.element.dataset, {
      scale: this.view.scale,
      x: this.view.x,
      y: this.view.y,
      ready: this.picture?.isReady ?? false,
    });
  }

  private drawAbove(): void {
    const context = this.context(this.above);
    if (!context) return;
    if (!this.content.bare) {
      for (const layer of this.content.layers) {
        context.save();
        layer.draw(context, this.view, this.window);
        context.restore();
      }
      this.drawPoints(context);
    }
    const { crosshair } = this.content;
    if (crosshair) drawCrosshair(context, toScreen(this.view, crosshair), crosshair.color);
    if (this.drag?.touch) this.drawLoupe(context, this.drag);
  }

  private drawPoints(context: CanvasRenderingContext2D): void {
    const markers = this.content.markers.map((one) =>
      one.id === this.drag?.marker ? { ...one, ...this.drag.at } : one,
    );
    const { selected } = this.content;
    const first = new Set([selected, this.hovered].filter((id): id is number => id !== null));
    const labels = placeLabels(context, this.view, this.window, markers, first, selected);
    const size = sizeAmong(markers.filter((one) => this.isInWindow(one)).length);
    for (const marker of markers) {
      if (marker.id !== selected) drawMarker(context, this.view, marker, false, size);
    }
    for (const label of labels) drawLabel(context, label, first.has(label.marker.id));
    const chosen = markers.find((marker) => marker.id === selected);
    if (chosen) drawMarker(context, this.view, chosen, true);
  }

  private isInWindow(at: Position): boolean {
    const { x, y } = toScreen(this.view, at);
    return x >= 0 && y >= 0 && x < this.window.width && y < this.window.height;
  }

  private drawLoupe(context: CanvasRenderingContext2D, drag: Drag): void {
    if (!this.picture) return;
    context.filter = this.content.filter;
    drawLoupe(context, this.picture, this.view, this.window, drag.at);
    context.filter = "none";
  }

  private selectedMarker(): Marker | undefined {
    return this.content.markers.find((marker) => marker.id === this.content.selected);
  }
}
