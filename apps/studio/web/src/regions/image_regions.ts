// The regions of one image, ready to be drawn at any alpha.
import type { Guarantee, Regions, SupportingReference } from "../types";
import type { Alpha } from "./alpha";
import { type Conformity, conformityOf } from "./conformity";
import { LandmarkRegion, patchAt } from "./membership";
import type { PatchGrid } from "./outline";

/** One landmark: its region, and the point that is proposed. */
export interface LandmarkProposal {
  readonly region: LandmarkRegion;
  readonly patch: number;
  readonly x: number;
  readonly y: number;
  readonly supportingReferences: readonly SupportingReference[];
}

export class ImageRegions {
  readonly grid: PatchGrid;
  readonly proposals: ReadonlyMap<number, LandmarkProposal>;
  readonly unavailable: ReadonlyMap<number, string>;

  constructor(private readonly answer: Regions) {
    this.grid = { columns: answer.columns, rows: answer.rows, x: answer.x, y: answer.y };
    this.proposals = new Map(answer.landmarks.map((one) => [one.landmark, this.proposalOf(one)]));
    this.unavailable = new Map(answer.unavailable.map((one) => [one.landmark, one.why]));
  }

  /** The guarantee of this image, which may be less than for the project. */
  get guarantee(): Guarantee {
    return this.answer.guarantee;
  }

  get image(): number {
    return this.answer.image;
  }

  /** Counts changes: equal numbers mean equal regions. */
  get calibration(): number {
    return this.answer.calibration;
  }

  patchAt(x: number, y: number): number {
    return patchAt(this.grid, x, y);
  }

  size(landmark: number, alpha: Alpha): number | null {
    return this.proposals.get(landmark)?.region.size(alpha) ?? null;
  }

  /** In square pixels of the original; null where the landmark has no region. */
  area(landmark: number, alpha: Alpha): number | null {
    return this.proposals.get(landmark)?.region.area(alpha) ?? null;
  }

  /** Of a region on average, 0 where there is none. */
  meanArea(alpha: Alpha): number {
    let total = 0;
    for (const { region } of this.proposals.values()) total += region.area(alpha);
    return this.proposals.size === 0 ? 0 : total / this.proposals.size;
  }

  /** How well the proposal of a landmark conforms; null where it has no region. */
  conformity(landmark: number, alpha: Alpha): Conformity | null {
    const found = this.proposals.get(landmark);
    return found === undefined ? null : conformityOf(found.region, found.patch, alpha);
  }

  /** Landmarks for which no location conforms. */
  numEmpty(alpha: Alpha): number {
    let count = 0;
    for (const { region } of this.proposals.values()) if (region.size(alpha) === 0) ++count;
    return count;
  }

  /** The landmark that suits a patch best among those whose region holds it. */
  landmarkAt(patch: number, alpha: Alpha): number | null {
    let best: number | null = null;
    let largest = 0;
    for (const [landmark, { region }] of this.proposals) {
      const p = region.p(patch);
      if (p > largest && region.holds(patch, alpha)) [best, largest] = [landmark, p];
    }
    return best;
  }

  private proposalOf(one: Regions["landmarks"][number]): LandmarkProposal {
    const region = new LandmarkRegion(one.landmark, one.units, one.exceeding, this.grid);
    const { proposal: patch, x, y, supporting_references: supportingReferences } = one;
    return { region, patch, x, y, supportingReferences };
  }
}
