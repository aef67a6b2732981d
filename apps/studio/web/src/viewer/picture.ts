// The image itself: its preview, and tiles of the original over it where one looks closer.
import { Tiles } from "./tiles";
import type { Size, View } from "./view";

export interface PictureSource {
  /** Width and height of the original. */
  size: Size;
  preview: string;
  tile: (column: number, row: number) => string;
}

/** How often a preview is asked for before the page says that it failed. */
const attempts = 3;
const pause = 400; // milliseconds

export class Picture {
  private readonly preview = new Image();
  private readonly tiles: Tiles;
  private ready = false;
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly source: PictureSource,
    private readonly onChange: () => void,
    private readonly onError: () => void,
  ) {
    this.tiles = new Tiles(source.size, source.tile, onChange);
    this.load();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    // Browsers ask for few files at once: unneeded ones must not delay others.
    if (!this.ready) this.preview.src = "";
    this.tiles.close();
  }

  /** Whether there is something to see. */
  get isReady(): boolean {
    return this.ready;
  }

  draw(context: CanvasRenderingContext2D, view: View, window: Size, ratio: number): void {
    if (!this.ready) return;
    const { size } = this.source;
    // Enlarged pixels are shown as squares: one sees what one points at.
    context.imageSmoothingEnabled = view.scale * ratio < 4;
    context.imageSmoothingQuality = "high";
    context.drawImage(
      this.preview,
      view.x,
      view.y,
      view.scale * size.width,
      view.scale * size.height,
    );
    if (this.isCoarse(view, ratio)) this.drawTiles(context, view, window);
  }

  private drawTiles(context: CanvasRenderingContext2D, view: View, window: Size): void {
    for (const tile of this.tiles.inSight(view, window)) {
      context.drawImage(
        tile.image,
        view.x + view.scale * tile.x,
        view.y + view.scale * tile.y,
        view.scale * tile.width,
        view.scale * tile.height,
      );
    }
  }

  private isCoarse(view: View, ratio: number): boolean {
    const { naturalWidth } = this.preview;
    const { width } = this.source.size;
    return naturalWidth < width && view.scale * ratio > naturalWidth / width;
  }

  private load(attempt = 1): void {
    this.preview.onload = () => {
      this.ready = true;
      if (!this.closed) this.onChange();
    };
    this.preview.onerror = () => {
      if (this.closed) return;
      if (attempt >= attempts) return this.onError();
      this.timer = setTimeout(() => this.load(attempt + 1), attempt * pause);
    };
    // Browsers remember that an address failed; another attempt needs another one.
    this.preview.src = this.source.preview + (attempt > 1 ? `#again-${attempt}` : "");
  }
}
