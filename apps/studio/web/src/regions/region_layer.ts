// Regions on the image: outlines of all or one, heat by p-value for the selected one.
import type { Layer, Size, View } from "../viewer/viewer";
import type { Alpha } from "./alpha";
import type { ImageRegions, LandmarkProposal } from "./image_regions";
import { heatOpacity } from "./conformity";

export interface RegionLook {
  alpha: Alpha;
  /** null: none is selected. */
  selected: number | null;
  showAll: boolean;
  colorOf: (landmark: number) => string;
  /** Landmarks that were placed: their regions are dimmed. */
  placed: ReadonlySet<number>;
}

// A Path2D is parsed once per outline; a slider comes back to the same ones.
const paths = new Map<string, Path2D>();
const mostPaths = 4000;
const manyLandmarks = 16;

function pathOf(outline: string): Path2D {
  let path = paths.get(outline);
  if (path === undefined) {
    if (paths.size >= mostPaths) paths.clear();
    path = new Path2D(outline);
    paths.set(outline, path);
  }
  return path;
}

export class RegionLayer implements Layer {
  constructor(
    private readonly regions: ImageRegions,
    private readonly look: RegionLook,
  ) {}

  draw(context: CanvasRenderingContext2D, view: View, _window: Size): void {
    const { selected, showAll } = this.look;
    context.transform(view.scale, 0, 0, view.scale, view.x, view.y);
    const pixel = 1 / view.scale;
    const chosen = selected === null ? undefined : this.regions.proposals.get(selected);
    if (chosen !== undefined) this.drawHeat(context, chosen);
    if (showAll) {
      for (const [landmark, proposal] of this.regions.proposals) {
        if (landmark !== selected) this.drawOutline(context, landmark, proposal, pixel, false);
      }
    }
    if (chosen !== undefined && selected !== null)
      this.drawOutline(context, selected, chosen, pixel, true);
  }

  /** Every patch in the landmark's color, the more the larger its p-value. */
  private drawHeat(context: CanvasRenderingContext2D, { region }: LandmarkProposal): void {
    const { x, y, columns } = this.regions.grid;
    context.fillStyle = this.look.colorOf(region.landmark);
    region.exceeding.forEach((_, patch) => {
      const opacity = heatOpacity(region.p(patch));
      if (opacity === 0) return;
      const [column, row] = [patch % columns, Math.floor(patch / columns)];
      const [left, top] = [x[column] ?? 0, y[row] ?? 0];
      context.globalAlpha = region.holds(patch, this.look.alpha) ? opacity : opacity / 4;
      context.fillRect(left, top, (x[column + 1] ?? left) - left, (y[row + 1] ?? top) - top);
    });
    context.globalAlpha = 1;
  }

  /** Outlines of many landmarks would hide the image: they stand back, like those already placed. */
  private opacityOf(landmark: number): number {
    if (this.look.placed.has(landmark)) return 0.35;
    return this.regions.proposals.size > manyLandmarks ? 0.6 : 0.9;
  }

  /** An empty region has no outline: the patch of its proposal is drawn, dashed. */
  private outlineOf({ region, patch }: LandmarkProposal): { outline: string; isEmpty: boolean } {
    const isEmpty = region.size(this.look.alpha) === 0;
    return { outline: isEmpty ? region.pathOf(patch) : region.path(this.look.alpha), isEmpty };
  }

  private drawOutline(
    context: CanvasRenderingContext2D,
    landmark: number,
    proposal: LandmarkProposal,
    pixel: number,
    strong: boolean,
  ): void {
    const { outline, isEmpty } = this.outlineOf(proposal);
    // Far from the point that is proposed, the patch would look like another one.
    if (isEmpty && !strong && this.regions.patchAt(proposal.x, proposal.y) !== proposal.patch) return;
    const path = pathOf(outline);
    context.setLineDash(isEmpty ? [6 * pixel, 5 * pixel] : []);
    context.lineJoin = "round";
    context.globalAlpha = strong ? 1 : this.opacityOf(landmark);
    // Dark under the color, so that yellow shows on white and purple on black.
    context.strokeStyle = strong ? "#ffffff" : "rgb(0 0 0 / 60%)";
    context.lineWidth = (strong ? 5 : 3.2) * pixel;
    context.stroke(path);
    if (strong) {
      context.strokeStyle = "#000000";
      context.lineWidth = 4 * pixel;
      context.stroke(path);
    }
    context.strokeStyle = this.look.colorOf(landmark);
    context.lineWidth = (strong ? 2.6 : 1.6) * pixel;
    context.stroke(path);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }
}
