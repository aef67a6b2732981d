// Pieces of the original, loaded where the preview is too coarse for what is on the screen.
import type { Size, View } from "./view";

const tileSize = 512;
/** A tile takes a megabyte in memory: this is what a large window and its surroundings need. */
const kept = 120;
const atOnce = 4;

interface Tile {
  column: number;
  row: number;
  image: HTMLImageElement;
  state: "loading" | "ready" | "failed";
  used: number;
}

interface ShownTile {
  image: HTMLImageElement;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The tiles of one image: asks for what is in sight, nearest to the middle first. */
export class Tiles {
  private readonly tiles = new Map<string, Tile>();
  private clock = 0;
  private closed = false;

  constructor(
    private readonly image: Size,
    private readonly urlOf: (column: number, row: number) => string,
    private readonly onLoad: () => void,
  ) {}

  /** Those in sight that are loaded; asks for the others. */
  inSight(view: View, window: Size): ShownTile[] {
    this.clock += 1;
    const wanted = this.wanted(view, window);
    this.load(wanted);
    this.forget();
    return wanted.flatMap((key) => this.shown(this.tiles.get(key.name)));
  }

  close(): void {
    this.closed = true;
    for (const tile of this.tiles.values()) if (tile.state === "loading") tile.image.src = "";
    this.tiles.clear();
  }

  private wanted(view: View, window: Size) {
    const [left, right] = span(view.x, view.scale, window.width, this.image.width);
    const [top, bottom] = span(view.y, view.scale, window.height, this.image.height);
    const found: { name: string; column: number; row: number; distance: number }[] = [];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const distance = Math.hypot(column - (left + right) / 2, row - (top + bottom) / 2);
        found.push({ name: `${column}/${row}`, column, row, distance });
      }
    }
    return found.sort((a, b) => a.distance - b.distance);
  }

  private load(wanted: { name: string; column: number; row: number }[]): void {
    let loading = [...this.tiles.values()].filter((tile) => tile.state === "loading").length;
    for (const { name, column, row } of wanted) {
      const tile = this.tiles.get(name);
      if (tile) tile.used = this.clock;
      else if (loading < atOnce) {
        this.start(name, column, row);
        loading += 1;
      }
    }
  }

  private start(name: string, column: number, row: number): void {
    const image = new Image();
    const tile: Tile = { column, row, image, state: "loading", used: this.clock };
    this.tiles.set(name, tile);
    image.decoding = "async";
    image.onload = () => this.finish(tile, "ready");
    image.onerror = () => {
      if (this.closed) return;
      this.finish(tile, "failed");
      // The preview stays in its place; it is asked for again when the server may be back.
      setTimeout(() => this.tiles.delete(name), 3000);
    };
    image.src = this.urlOf(column, row);
  }

  private finish(tile: Tile, state: "ready" | "failed"): void {
    tile.state = state;
    if (!this.closed) this.onLoad();
  }

  private forget(): void {
    if (this.tiles.size <= kept) return;
    const old = [...this.tiles].sort((a, b) => a[1].used - b[1].used);
    for (const [name] of old.slice(0, this.tiles.size - kept)) this.tiles.delete(name);
  }

  private shown(tile: Tile | undefined): ShownTile[] {
    if (!tile || tile.state !== "ready") return [];
    const x = tile.column * tileSize;
    const y = tile.row * tileSize;
    const width = Math.min(tileSize, this.image.width - x);
    const height = Math.min(tileSize, this.image.height - y);
    return [{ image: tile.image, x, y, width, height }];
  }
}

function span(offset: number, scale: number, window: number, length: number): [number, number] {
  const last = Math.ceil(length / tileSize) - 1;
  const from = Math.floor(-offset / scale / tileSize);
  const to = Math.floor((window - offset) / scale / tileSize);
  return [Math.max(0, from), Math.min(last, to)];
}
