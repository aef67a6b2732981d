// The boundary of a set of patches, as caos/vision/drawing/outline.hpp draws it.

/** Where the patches of an image lie: edges in pixels, columns + 1 and rows + 1 of them. */
export interface PatchGrid {
  readonly columns: number;
  readonly rows: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Corners as columns and rows of the grid: x0, y0, x1, y1, ... The last is joined to the first. */
export type Ring = number[];

// Edges lead right along the top of a patch, down its right side, left, up: the patch is always to
// the right of who walks.
const right = 0;
const down = 1;
const left = 2;
const up = 3;
const stepX = [1, 0, -1, 0] as const;
const stepY = [0, 1, 0, -1] as const;

class Tracer {
  // Per corner one bit for each direction of an edge that was not walked yet.
  private readonly leaving: Uint8Array;

  constructor(
    private readonly members: Uint8Array,
    private readonly columns: number,
    private readonly rows: number,
  ) {
    this.leaving = new Uint8Array((columns + 1) * (rows + 1));
    this.forEachMember((x, y) => this.addEdges(x, y));
  }

  rings(): Ring[] {
    const rings: Ring[] = [];
    // Every ring has an edge that leads right, along the top of a patch; the uppermost, leftmost
    // one is met first.
    this.forEachMember((x, y) => {
      if (this.leaves(x, y, right)) rings.push(this.trace(x, y));
    });
    return rings;
  }

  private forEachMember(visit: (x: number, y: number) => void): void {
    for (let y = 0; y < this.rows; ++y) {
      for (let x = 0; x < this.columns; ++x) {
        if (this.isMember(x, y)) visit(x, y);
      }
    }
  }

  private isMember(x: number, y: number): boolean {
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return false;
    return this.members[y * this.columns + x] === 1;
  }

  private addEdges(x: number, y: number): void {
    if (!this.isMember(x, y - 1)) this.addEdge(x, y, right);
    if (!this.isMember(x + 1, y)) this.addEdge(x + 1, y, down);
    if (!this.isMember(x, y + 1)) this.addEdge(x + 1, y + 1, left);
    if (!this.isMember(x - 1, y)) this.addEdge(x, y + 1, up);
  }

  private edgesAt(x: number, y: number): number {
    return this.leaving[y * (this.columns + 1) + x] ?? 0;
  }

  private leaves(x: number, y: number, direction: number): boolean {
    return ((this.edgesAt(x, y) >> direction) & 1) === 1;
  }

  private addEdge(x: number, y: number, direction: number): void {
    this.leaving[y * (this.columns + 1) + x] = this.edgesAt(x, y) | (1 << direction);
  }

  private takeEdge(x: number, y: number, direction: number): void {
    this.leaving[y * (this.columns + 1) + x] = this.edgesAt(x, y) & ~(1 << direction);
  }

  // Where two patches touch at a corner, turning right stays with the patch one came along.
  private nextDirection(x: number, y: number, direction: number): number {
    for (const quarters of [1, 0]) {
      const turned = (direction + quarters) % 4;
      if (this.leaves(x, y, turned)) return turned;
    }
    return (direction + 3) % 4;
  }

  private trace(startX: number, startY: number): Ring {
    const ring: Ring = [];
    let [x, y, direction, previous] = [startX, startY, right, up];
    do {
      if (direction !== previous) ring.push(x, y);
      this.takeEdge(x, y, direction);
      x += stepX[direction as 0 | 1 | 2 | 3];
      y += stepY[direction as 0 | 1 | 2 | 3];
      previous = direction;
      direction = this.nextDirection(x, y, direction);
    } while (this.leaves(x, y, direction));
    return ring;
  }
}

/** The rings around a set of patches (1 = member), clockwise, and around its holes, the other way:
 *  the even-odd rule fills exactly the set. */
export function outline(members: Uint8Array, columns: number, rows: number): Ring[] {
  return new Tracer(members, columns, rows).rings();
}

function ringPath(ring: Ring, grid: PatchGrid): string {
  let path = "";
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const x = grid.x[ring[i] ?? 0] ?? 0;
    const y = grid.y[ring[i + 1] ?? 0] ?? 0;
    path += `${i === 0 ? "M" : "L"}${x} ${y}`;
  }
  return `${path}Z`;
}

/** The outline as the `d` of an SVG path, in pixels of the image; fill it by the even-odd rule. */
export function outlinePath(members: Uint8Array, grid: PatchGrid): string {
  return outline(members, grid.columns, grid.rows)
    .map((ring) => ringPath(ring, grid))
    .join("");
}
