// The sample after it was drawn: how far it is labeled, and what may still be changed.
import { counted } from "../../counted";
import { images, sample } from "../../project";
import { hrefOf } from "../../router";
import type { Project } from "../../types";
import { EndSample, ExtendSample } from "./resize_sample";
import { Card } from "../../components/page_parts";

/** What may still be changed. */
function sizeWords({ sampling, integrity }: Project): string {
  if (sampling.kind !== "random" || integrity.resized_at !== null) return "";
  if (sampling.looks.length > 0) {
    const sizes = sampling.looks.map((look) => look.size).join(", ");
    return `Planned looks: ${sizes}. You may stop at any of them.`;
  }
  return integrity.results_seen_at === null
    ? "The size can be changed at no cost until regions are seen, in review or in a file."
    : "Regions have been seen: another size would cost the guarantee.";
}

/** The sample that was drawn: how far it is labeled, and more of it. */
export function DrawnCard({ project }: { project: Project }) {
  const { sampling } = project;
  const labeled = sample.value.filter((image) => image.complete).length;
  const next = sample.value.find((image) => !image.complete);
  return (
    <Card class="sample-card drawn">
      <div class="row between">
        <div>
          <h2>
            {sampling.kind === "random"
              ? `${counted(sampling.size, "image")} drawn at random`
              : `${counted(sampling.size, "labeled image")} taken as given`}
          </h2>
          <p class="muted">
            {labeled} labeled, {sampling.size - labeled} to go
            {sampling.kind === "random" && ", in their random order"}. Only these calibrate.
          </p>
          <p class="muted">{sizeWords(project)}</p>
        </div>
        <div class="row">
          {next && (
            <a class="button primary" href={hrefOf("annotate", project.id, next.id)}>
              {labeled === 0 ? "Start labeling" : "Go on labeling"}
            </a>
          )}
          {sampling.kind === "random" && !hasAudit() && <EndSample project={project} />}
          {sampling.kind === "random" && !hasAudit() && <ExtendSample project={project} />}
          {next === undefined && <AfterSample project={project} />}
        </div>
      </div>
    </Card>
  );
}

/** Images of an audit come next in the random order, and stay out of the sample. */
function hasAudit(): boolean {
  return images.value.some((image) => image.audit !== "none");
}

/** Where to go from a sample that is labeled: an audit needs images whose regions were not seen. */
function AfterSample({ project }: { project: Project }) {
  return (
    <>
      {project.sampling.kind === "random" && (
        <a
          class="button"
          href={hrefOf("audit", project.id)}
          title="How many regions of this project are right; before the review">
          Audit
        </a>
      )}
      <a class="button primary" href={hrefOf("review", project.id)}>
        Review
      </a>
    </>
  );
}
