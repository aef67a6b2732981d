// The lengths and angles of the open image, as its points are now.
import { Button } from "../components/button";
import { hrefOf } from "../router";
import type { Point, Project, StudioImage } from "../types";
import { measures } from "./measures";
import { valueOf, valueText } from "./values";

interface MeasurePanelProps {
  project: Project;
  image: StudioImage;
  points: readonly Point[];
  onScale: () => void;
}

/** Its own scale, or else the project's. */
export function scaleOf(project: Project, image: StudioImage): number | null {
  return image.mm_per_pixel ?? project.settings.mm_per_pixel;
}

export function MeasurePanel({ project, image, points, onScale }: MeasurePanelProps) {
  const scale = scaleOf(project, image);
  return (
    <div class="measure-panel">
      {measures.value.measures.length === 0 ? (
        <p class="muted">No lengths or angles are defined.</p>
      ) : (
        <dl class="measure-values" aria-label="Measures of this image">
          {measures.value.measures.map((measure) => (
            <div key={measure.name}>
              <dt>{measure.name}</dt>
              <dd>{valueText(measure, valueOf(measure, points), scale)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="muted small-text">
        {scale === null
          ? "The scale is not known: lengths are in pixels."
          : `${Number(scale.toPrecision(4))} mm per pixel${image.mm_per_pixel === null ? ", of the project" : ""}`}
      </p>
      <div class="row">
        <Button onClick={onScale}>Set scale by two clicks</Button>
        <a href={hrefOf("measures", project.id)}>Define measures</a>
      </div>
    </div>
  );
}
