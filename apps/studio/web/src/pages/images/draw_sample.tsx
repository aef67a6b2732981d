// Drawing the images that are labeled blind: where the guarantee comes from.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { counted } from "../../counted";
import { images, project as openProject, landmarks, reloadProject } from "../../project";
import { confidencePercent, labelsNeeded, parseAlpha } from "../../regions/alpha";
import type { Project } from "../../types";
import { DrawnCard } from "./sampled_images";
import { PlannedLooks } from "./planned_looks";
import { looksError, parseLooks } from "./looks_text";
import { poolSize } from "./image_pool";
import { Card, Failure, useCall } from "../../components/page_parts";
import { usualTargets } from "../../regions/coverage_targets";

/** Twice what the target needs, and 30 at least, but no more than a third of the pool is spent. */
function suggestedSize(project: Project): number {
  const alpha = parseAlpha(project.settings.alpha);
  const least = alpha === null ? 9 : labelsNeeded(alpha);
  const wish = Math.max(2 * least, 30);
  return Math.max(1, Math.min(wish, Math.max(least, Math.floor(poolSize() / 3)), poolSize()));
}

export function SampleCard({ project }: { project: Project }) {
  return project.sampling.kind === "none" ? (
    <DrawCard project={project} />
  ) : (
    <DrawnCard project={project} />
  );
}

function Why() {
  return (
    <p>
      The studio draws some images <strong>at random</strong>, and you label them{" "}
      <strong>without hints</strong>. A random sample represents all other images: how large regions
      must be is measured on it and holds for the rest. Images chosen by hand, such as the sharp or
      easy ones, would not tell you that.
    </p>
  );
}

function DrawCard({ project }: { project: Project }) {
  const size = useSignal(String(suggestedSize(project)));
  const confirming = useSignal<"draw" | "given" | null>(null);
  const labeled = images.value.filter(
    (image) => image.complete && landmarks.value.length > 0,
  ).length;
  const looks = useSignal("");
  const sizes = parseLooks(looks.value, poolSize()) ?? [];
  const wanted = sizes.at(-1) ?? Number(size.value);
  const valid =
    Number.isInteger(wanted) &&
    wanted >= 1 &&
    wanted <= poolSize() &&
    looksError(looks.value, poolSize()) === "";
  return (
    <Card title="Draw a sample to label" class="sample-card">
      <div class="sample-columns">
        <div class="stack">
          <Why />
          <form
            class="row draw-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (valid) confirming.value = "draw";
            }}>
            <TextField
              label={`How many of the ${poolSize()}?`}
              type="number"
              min={1}
              max={poolSize()}
              value={sizes.length > 0 ? wanted : size.value}
              disabled={sizes.length > 0}
              onText={(text) => (size.value = text)}
            />
            <Button kind="primary" type="submit" disabled={!valid}>
              Draw …
            </Button>
          </form>
          <PlannedLooks
            project={project}
            text={looks.value}
            most={poolSize()}
            onText={(text) => (looks.value = text)}
          />
          {labeled > 0 && (
            <p class="muted">
              <Button onClick={() => (confirming.value = "given")}>
                Use the {counted(labeled, "image")} labeled already …
              </Button>
            </p>
          )}
        </div>
        <LabelTable project={project} chosen={valid ? wanted : 0} />
      </div>
      {confirming.value !== null && (
        <ConfirmDraw
          project={project}
          how={confirming.value}
          size={wanted}
          looks={sizes}
          onClose={() => (confirming.value = null)}
        />
      )}
    </Card>
  );
}

/** How many labels each target takes, and which the chosen number reaches. */
function LabelTable({ project, chosen }: { project: Project; chosen: number }) {
  return (
    <table class="label-table">
      <caption>Labels needed at least; more give smaller regions</caption>
      <thead>
        <tr>
          <th scope="col">Target</th>
          <th scope="col">alpha</th>
          <th scope="col" class="number">
            labels
          </th>
          <th scope="col">
            <span class="visually-hidden">reached</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {usualTargets.map((text) => {
          const alpha = parseAlpha(text);
          if (alpha === null) return null;
          const needed = labelsNeeded(alpha);
          return (
            <tr key={text} class={project.settings.alpha === text ? "target" : ""}>
              <td>
                {confidencePercent(alpha)}
                {project.settings.alpha === text && <small> yours</small>}
              </td>
              <td>{text}</td>
              <td class="number">{needed}</td>
              <td>{chosen >= needed ? "✓" : ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface ConfirmDrawProps {
  project: Project;
  how: "draw" | "given";
  size: number;
  /** Planned; empty: one, at `size`. */
  looks: number[];
  onClose: () => void;
}

function ConfirmDraw({ project, how, size, looks, onClose }: ConfirmDrawProps) {
  const call = useCall();
  const random = looks.length > 1 ? { looks: looks.map((one) => ({ size: one })) } : { size };
  const isLate = project.integrity.results_seen_at !== null;
  const draw = () =>
    call.run(async () => {
      openProject.value = await api.drawSample(
        project.id,
        { ...(how === "draw" ? random : { from: "labeled" as const }), confirm: isLate },
      );
      await reloadProject();
      onClose();
    });
  const title =
    how === "draw"
      ? `Draw ${counted(size, "image")} at random?`
      : "Use the images that are labeled?";
  const actions = (
    <>
      <Button onClick={onClose}>Not yet</Button>
      <Button kind="primary" disabled={call.busy.value} onClick={draw}>
        {how === "draw" ? "Draw the sample" : "Use them"}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <div class="stack">
        {how === "draw" ? (
          <DrawConsequences project={project} looks={looks} />
        ) : (
          <GivenConsequences />
        )}
        {isLate && <LateDraw />}
        <p>
          Score ({project.settings.score}) and k ({project.settings.k}) are fixed from now on.
        </p>
        <Failure text={call.failure.value} />
      </div>
    </Dialog>
  );
}

function DrawConsequences({ project, looks }: { project: Project; looks: number[] }) {
  return (
    <>
      <p>
        {looks.length > 1
          ? `Regions carry the guarantee when ${looks.join(", ")} images are labeled; you may stop at any of these looks.`
          : "The guarantee begins when all of them are labeled. Until regions are seen, their number can be changed at no cost; afterwards drawing more costs the guarantee."}
      </p>
      <p>
        The guarantee is for the {counted(project.num_images, "image")} that are in the project now.
        Images added later get regions, too, on trust.
      </p>
      {landmarks.value.length === 0 && (
        <p class="note warn">There are no landmarks yet. Name them first, if you can.</p>
      )}
    </>
  );
}

/** What a draw costs after regions were seen. */
function LateDraw() {
  return (
    <p class="note warn">
      Regions of this project have been seen, so results may have chosen score, k and target. A
      sample drawn now has <strong>no guarantee</strong>. For one, make a new project with settings
      that are fixed beforehand.
    </p>
  );
}

function GivenConsequences() {
  return (
    <p class="note warn">
      These images were not drawn at random. The guarantee then assumes that they are as good as a
      random choice of all images; the badge turns amber and says so.
    </p>
  );
}
