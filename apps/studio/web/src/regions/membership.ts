// Which patches are in a landmark's region, at every alpha, from one answer of the server.

import { type Alpha, leastExceeding } from "./alpha";
import { type PatchGrid, outlinePath } from "./outline";

/** Whether a patch that `exceeding` of n scores reach or exceed is in the region at alpha:
 *  (1 + exceeding) / (n + 1) > alpha, in integers. Padding (-1) never is. */
export function isMember(exceeding: number, n: number, alpha: Alpha): boolean {
  return exceeding >= 0 && (1 + exceeding) * alpha.denominator > alpha.numerator * (n + 1);
}

export function pValue(exceeding: number, n: number): number {
  return exceeding < 0 ? 0 : (1 + exceeding) / (n + 1);
}

/** The region of one landmark at every alpha. A slider asks again and again for the same few
 *  regions (there are n + 1 at most), so sizes are counted once and outlines are kept. */
export class LandmarkRegion {
  private readonly sizes: Uint32Array;
  private readonly paths = new Map<number, string>();

  constructor(
    readonly landmark: number,
    readonly n: number,
    readonly exceeding: readonly number[],
    private readonly grid: PatchGrid,
  ) {
    this.sizes = sizesByLeast(exceeding, n);
  }

  /** How many patches are in the region. */
  size(alpha: Alpha): number {
    return this.sizes[leastExceeding(alpha, this.n)] ?? 0;
  }

  holds(patch: number, alpha: Alpha): boolean {
    return isMember(this.exceeding[patch] ?? -1, this.n, alpha);
  }

  p(patch: number): number {
    return pValue(this.exceeding[patch] ?? -1, this.n);
  }

  /** The outline of the region as the `d` of an SVG path. */
  path(alpha: Alpha): string {
    const least = leastExceeding(alpha, this.n);
    let path = this.paths.get(least);
    if (path === undefined) {
      path = outlinePath(this.members(least), this.grid);
      this.paths.set(least, path);
    }
    return path;
  }

  /** The outline of one patch. */
  pathOf(patch: number): string {
    const one = new Uint8Array(this.exceeding.length);
    one[patch] = 1;
    return outlinePath(one, this.grid);
  }

  private members(least: number): Uint8Array {
    const members = new Uint8Array(this.exceeding.length);
    this.exceeding.forEach((count, patch) => {
      if (count >= 0 && count >= least) members[patch] = 1;
    });
    return members;
  }
}

/** For each count c from 0 to n, how many patches are exceeded by at least c scores. */
function sizesByLeast(exceeding: readonly number[], n: number): Uint32Array {
  const sizes = new Uint32Array(n + 2);
  for (const count of exceeding) {
    if (count >= 0) sizes[count] = (sizes[count] ?? 0) + 1;
  }
  for (let count = n - 1; count >= 0; --count) {
    sizes[count] = (sizes[count] ?? 0) + (sizes[count + 1] ?? 0);
  }
  return sizes;
}

/** The patch that holds a point, or -1 outside of the grid. */
export function patchAt(grid: PatchGrid, x: number, y: number): number {
  const column = intervalOf(grid.x, x);
  const row = intervalOf(grid.y, y);
  return column < 0 || row < 0 ? -1 : row * grid.columns + column;
}

function intervalOf(edges: readonly number[], value: number): number {
  const after = edges.findIndex((edge) => edge > value);
  return after <= 0 ? -1 : after - 1;
}
