// Drawing the images that are labelled blind: where the guarantee comes from.
import { useSignal } from "@preact/signals";
import * as api from "../api";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { images, project as openProject, landmarks, reloadProject, sample } from "../project";
import { confidencePercent, labelsNeeded, parseAlpha } from "../regions/alpha";
import { hrefOf } from "../router";
import type { Project } from "../types";
import { Card, Failure, counted, useCall } from "./parts";

/** The most images a sample can have: with subjects, one of each. */
function poolSize(): number {
  const subjects = new Set<string>();
  let single = 0;
  for (const image of images.value) {
    if (image.subject === null) ++single;
    else subjects.add(image.subject);
  }
  return subjects.size + single;
}

/** Twice what the target needs, and 30 at least, but no more than a third of the pool is spent. */
function suggestedSize(project: Project): number {
  const alpha = parseAlpha(project.settings.alpha);
  const least = alpha === null ? 9 : labelsNeeded(alpha);
  const wish = Math.max(2 * least, 30);
  return Math.max(1, Math.min(wish, Math.max(least, Math.floor(poolSize() / 3)), poolSize()));
}

export function SampleCard({ project }: { project: Project }) {
  return project.sampling.kind === "none" ? <DrawCard project={project} /> : <DrawnCard project={project} />;
}

function Why() {
  return (
    <p>
      The studio picks some images <strong>by chance</strong>, and you label them <strong>without hints</strong>.
      Because chance picked them, they stand for all the others: how far regions must reach is measured on them and holds
      for the rest. Images picked by hand (the sharp ones, the easy ones) would not tell you that.
    </p>
  );
}

function DrawCard({ project }: { project: Project }) {
  const size = useSignal(String(suggestedSize(project)));
  const confirming = useSignal<"draw" | "given" | null>(null);
  const labeled = images.value.filter((image) => image.complete && landmarks.value.length > 0).length;
  const wanted = Number(size.value);
  const valid = Number.isInteger(wanted) && wanted >= 1 && wanted <= poolSize();
  return (
    <Card title="Draw a sample to label" class="sample-card">
      <div class="sample-columns">
        <div class="stack">
          <Why />
          <form class="row draw-form" onSubmit={(event) => {
              event.preventDefault();
              if (valid) confirming.value = "draw";
            }}>
            <TextField label={`How many of the ${poolSize()}?`} type="number" min={1} max={poolSize()} value={size.value}
              onText={(text) => (size.value = text)} />
            <Button kind="primary" type="submit" disabled={!valid}>
              Draw …
            </Button>
          </form>
          {labeled > 0 && (
            <p class="muted">
              <Button onClick={() => (confirming.value = "given")}>
                Use the {counted(labeled, "image")} labelled already …
              </Button>
            </p>
          )}
        </div>
        <LabelTable project={project} chosen={valid ? wanted : 0} />
      </div>
      {confirming.value !== null && (
        <ConfirmDraw project={project} how={confirming.value} size={wanted} onClose={() => (confirming.value = null)} />
      )}
    </Card>
  );
}

/** How many labels each target takes, and which the chosen number reaches. */
function LabelTable({ project, chosen }: { project: Project; chosen: number }) {
  const rows = ["0.2", "0.1", "0.05", "0.02", "0.01"];
  return (
    <table class="label-table">
      <caption>Labels that a target takes at least; more make regions smaller</caption>
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
        {rows.map((text) => {
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
  onClose: () => void;
}

function ConfirmDraw({ project, how, size, onClose }: ConfirmDrawProps) {
  const call = useCall();
  const draw = () =>
    call.run(async () => {
      openProject.value = await api.drawSample(project.id, how === "draw" ? { size } : { from: "labeled" });
      await reloadProject();
      onClose();
    });
  const title = how === "draw" ? `Draw ${counted(size, "image")} at random?` : "Use the images that are labelled?";
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
        {how === "draw" ? <DrawConsequences project={project} /> : <GivenConsequences />}
        <p>
          Score ({project.settings.score}) and k ({project.settings.k}) are fixed from now on.
        </p>
        <Failure text={call.failure.value} />
      </div>
    </Dialog>
  );
}

function DrawConsequences({ project }: { project: Project }) {
  return (
    <>
      <p>
        The {counted(project.num_images, "image")} that are here now become the pool for which the guarantee holds.
        Images added later get regions, too, but the promise is not about them.
      </p>
      {landmarks.value.length === 0 && <p class="note warn">There are no landmarks yet. Name them first, if you can.</p>}
    </>
  );
}

function GivenConsequences() {
  return (
    <p class="note warn">
      Nobody drew these images at random. The guarantee then rests on your word that they are as good as a random
      choice of all images; the badge turns amber and says so.
    </p>
  );
}

function DrawnCard({ project }: { project: Project }) {
  const { sampling } = project;
  const labeled = sample.value.filter((image) => image.complete).length;
  const next = sample.value.find((image) => !image.complete);
  return (
    <Card class="sample-card drawn">
      <div class="row between">
        <div>
          <h2>
            {sampling.kind === "random" ? `${counted(sampling.size, "image")} drawn at random` : `${counted(sampling.size, "labelled image")} taken as given`}
          </h2>
          <p class="muted">
            {labeled} labelled, {sampling.size - labeled} to go, in their random order. Only these calibrate.
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
      <Button onClick={() => (size.value = String(Math.min(most, project.sampling.size + 10)))}>Draw more …</Button>
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
      <TextField label="New size of the sample" type="number" min={project.sampling.size} max={most} value={size.value}
        onText={(text) => (size.value = text)} hint="The next ones of the same random order." />
      <Button kind="primary" type="submit" disabled={call.busy.value || !(wanted > project.sampling.size && wanted <= most)}>
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
      {counted(seen, "of these has", "of these have")} been looked at with regions in review. Labelled now, they are
      not blind, and there is no guarantee any more.
    </p>
  );
}
