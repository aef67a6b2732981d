// Which patches are in a landmark's region, at every alpha, from one answer of the server.

import { type Alpha, leastExceeding } from "./alpha";
import { type PatchGrid, outlinePath } from "./outline";

// Calibration images may weigh more or less. Weights are whole numbers, and an image of weight w
// counts as w scores, so that everything below is as without weights. The server keeps their sum
// below 2^32, so that its product with an alpha of six decimals is exact.

/** Whether a patch that `exceeding` of all units reach or exceed is in the region at alpha:
 *  (1 + exceeding) / (units + 1) > alpha, in integers. Padding (-1) never is. */
export function isMember(exceeding: number, units: number, alpha: Alpha): boolean {
  return exceeding >= 0 && (1 + exceeding) * alpha.denominator > alpha.numerator * (units + 1);
}

export function pValue(exceeding: number, units: number): number {
  return exceeding < 0 ? 0 : (1 + exceeding) / (units + 1);
}

/** The region of one landmark at every alpha. A slider asks again and again for the same few
 *  regions, so counts are sorted once and outlines are kept. */
export class LandmarkRegion {
  private readonly sorted: Float64Array;
  private readonly paths = new Map<number, string>();
  private readonly areas = new Map<number, number>();

  constructor(
    readonly landmark: number,
    readonly units: number,
    readonly exceeding: readonly number[],
    private readonly grid: PatchGrid,
  ) {
    this.sorted = Float64Array.from(exceeding.filter((count) => count >= 0)).sort();
  }

  /** How many patches are in the region. */
  size(alpha: Alpha): number {
    return this.sorted.length - firstAtLeast(this.sorted, leastExceeding(alpha, this.units));
  }

  /** In square pixels of the original. */
  area(alpha: Alpha): number {
    const size = this.size(alpha);
    let area = this.areas.get(size);
    if (area === undefined) {
      area = 0;
      this.members(leastExceeding(alpha, this.units)).forEach((isIn, patch) => {
        if (isIn === 1) area = (area ?? 0) + areaOf(this.grid, patch);
      });
      this.areas.set(size, area);
    }
    return area;
  }

  holds(patch: number, alpha: Alpha): boolean {
    return isMember(this.exceeding[patch] ?? -1, this.units, alpha);
  }

  p(patch: number): number {
    return pValue(this.exceeding[patch] ?? -1, this.units);
  }

  /** The outline of the region as the `d` of an SVG path. */
  path(alpha: Alpha): string {
    // Equal sizes are equal regions: those of one landmark contain each other.
    const size = this.size(alpha);
    let path = this.paths.get(size);
    if (path === undefined) {
      path = outlinePath(this.members(leastExceeding(alpha, this.units)), this.grid);
      this.paths.set(size, path);
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

/** Of a patch, without what lies outside of the image. */
function areaOf(grid: PatchGrid, patch: number): number {
  const column = patch % grid.columns;
  const row = Math.floor(patch / grid.columns);
  const width = (grid.x[column + 1] ?? 0) - (grid.x[column] ?? 0);
  return width * ((grid.y[row + 1] ?? 0) - (grid.y[row] ?? 0));
}

/** The first position of ascending values whose value is at least `least`. */
function firstAtLeast(sorted: Float64Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
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
