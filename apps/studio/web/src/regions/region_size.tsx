// How large regions are, in units that people think in; and what to do where they are too large.
import { lengthText } from "../measure/values";
import { hrefOf } from "../router";
import type { Project } from "../types";

/** Regions above this share of the image say that something is wrong
 *  (caos/landmarks/large_regions). */
const largeShare = 0.05;

/** A region as the side of a square of its area: "24 px", "3.1 mm". */
export function sideText(area: number, scale: number | null): string {
  return lengthText(Math.sqrt(area), scale);
}

export function shareText(share: number): string {
  const percent = 100 * share;
  return `${percent < 1 ? Number(percent.toPrecision(1)) : percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

interface LargeRegionsProps {
  share: number;
  project: Project;
}

/** Says that regions are too large to be of use, and what usually helps. */
export function LargeRegions({ share, project: { id: project, settings } }: LargeRegionsProps) {
  const { score } = settings;
  if (!(share > largeShare)) return null;
  return (
    <details class="note warn large-regions">
      <summary>
        Regions cover {shareText(share)} of the image on average: something is wrong. What to do
      </summary>
      <ul>
        <li>Check that the points of the sample are where they should be.</li>
        <li>
          Try a smaller working size, in <a href={hrefOf("settings", project)}>Settings</a>. The page
          says beforehand what that costs.
        </li>
        {score !== "geometry" && <li>Make a new project with the score geometry.</li>}
        <li>Label more images.</li>
      </ul>
    </details>
  );
}
