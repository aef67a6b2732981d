// The sample after it was drawn: labelled in its order, and extended by more of the same order.
import { useSignal } from "@preact/signals";
import * as api from "../api";
import { Button } from "../components/button";
import { TextField } from "../components/field";
import { counted } from "../counted";
import { images, project as openProject, reloadProject, sample } from "../project";
import { hrefOf } from "../router";
import type { Project } from "../types";
import { poolSize } from "./images_pool";
import { Card, Failure, useCall } from "./parts";

/** The sample that was drawn: how far it is labelled, and more of it. */
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
              : `${counted(sampling.size, "labelled image")} taken as given`}
          </h2>
          <p class="muted">
            {labeled} labelled, {sampling.size - labeled} to go
            {sampling.kind === "random" && ", in their random order"}. Only these calibrate.
          </p>
        </div>
        <div class="row">
          {next && (
            <a class="button primary" href={hrefOf("annotate", project.id, next.id)}>
              {labeled === 0 ? "Start labelling" : "Go on labelling"}
            </a>
          )}
          {sampling.kind === "random" && <ExtendSample project={project} />}
        </div>
      </div>
    </Card>
  );
}

function ExtendSample({ project }: { project: Project }) {
  const size = useSignal<string | null>(null);
  const call = useCall();
  const most = poolSize();
  if (project.sampling.size >= most) return null;
  if (size.value === null) {
    return (
      <Button onClick={() => (size.value = String(Math.min(most, project.sampling.size + 10)))}>
        Draw more …
      </Button>
    );
  }
  const wanted = Number(size.value);
  const extend = (event: Event) => {
    event.preventDefault();
    void call.run(async () => {
      openProject.value = await api.drawSample(project.id, { size: wanted });
      await reloadProject();
      size.value = null;
    });
  };
  return (
    <form class="row draw-form" onSubmit={extend}>
      <TextField
        label="New size of the sample"
        type="number"
        min={project.sampling.size}
        max={most}
        value={size.value}
        onText={(text) => (size.value = text)}
        hint="The next ones of the same random order."
      />
      <Button
        kind="primary"
        type="submit"
        disabled={call.busy.value || !(wanted > project.sampling.size && wanted <= most)}>
        Extend
      </Button>
      <Button onClick={() => (size.value = null)}>Cancel</Button>
      <SeenWarning from={project.sampling.size} to={wanted} />
      <Failure text={call.failure.value} />
    </form>
  );
}

/** Blind is blind: who saw regions of an image cannot label it blind any more. */
function SeenWarning({ from, to }: { from: number; to: number }) {
  const seen = images.value.filter(
    (image) => image.seen && image.order !== null && image.order >= from && image.order < to,
  ).length;
  return seen === 0 ? null : (
    <p class="note warn">
      {counted(seen, "of these has", "of these have")} been looked at with regions in review.
      Labelled now, they are not blind, and there is no guarantee any more.
    </p>
  );
}
