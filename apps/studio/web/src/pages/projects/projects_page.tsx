// All projects of this data folder, and the way into a first one.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { counted } from "../../counted";
import { confidencePercent, parseAlpha } from "../../regions/alpha";
import { hrefOf } from "../../router";
import type { Project } from "../../types";
import { Card, Failure, Sheet, useCall } from "../../components/page_parts";
import { CreateProject } from "./create_project";
import { RestoreProject } from "./restore_project";
import "./projects.css";

const steps = [
  ["Images", "Drop a folder of images. They stay on this machine."],
  ["Landmarks", "Name the points to be found, or import a list."],
  ["Draw a sample", "The studio draws images at random. The guarantee depends on it."],
  ["Label", "Place the points in these images, without hints."],
  ["Review", "See a region for every landmark in all other images. Accept or correct."],
  ["Export", "Download points, regions and the model, in the format you need."],
] as const;

/** Six steps from nothing to a result. */
function Guide() {
  return (
    <ol class="guide">
      {steps.map(([title, text]) => (
        <li key={title}>
          <strong>{title}</strong>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

export function ProjectsPage() {
  const projects = useSignal<Project[] | null>(null);
  const creating = useSignal(false);
  const call = useCall();
  const load = () => call.run(async () => void (projects.value = await api.projects()));
  useEffect(() => void load(), []);
  const none = projects.value?.length === 0;
  return (
    <Sheet
      title="Projects"
      lead="Label landmarks in a few images. All others get regions that contain the true position at least 90 % of the time, on average.">
      <Failure text={call.failure.value} />
      {projects.value === null && call.failure.value === "" && <p>Loading …</p>}
      <ul class="project-list">
        {projects.value?.map((project) => (
          <ProjectCard key={project.id} project={project} onGone={load} />
        ))}
      </ul>
      {none ? (
        <div class="welcome">
          <CreateProject />
          <Card title="How it works">
            <Guide />
          </Card>
        </div>
      ) : creating.value ? (
        <CreateProject onCancel={() => (creating.value = false)} />
      ) : (
        projects.value !== null && (
          <p>
            <Button kind="primary" onClick={() => (creating.value = true)}>
              New project
            </Button>
          </p>
        )
      )}
      <RestoreProject />
      {!none && projects.value !== null && (
        <details class="how">
          <summary>How it works, step by step</summary>
          <Guide />
        </details>
      )}
    </Sheet>
  );
}

/** The page that a user who opens this project most likely wants. */
function entrance(project: Project): string {
  if (project.num_images === 0) return hrefOf("images", project.id);
  if (project.num_landmarks === 0) return hrefOf("scheme", project.id);
  return hrefOf("images", project.id);
}

function stateOf(project: Project): string {
  if (project.num_images === 0) return "Next: add images";
  if (project.num_landmarks === 0) return "Next: name the landmarks";
  if (project.sampling.kind === "none") return "Next: draw a sample";
  return project.sampling.kind === "random"
    ? `${counted(project.sampling.size, "image")} drawn at random`
    : `${counted(project.sampling.size, "labeled image")} taken as given`;
}

function ProjectCard({ project, onGone }: { project: Project; onGone: () => void }) {
  const removing = useSignal(false);
  const alpha = parseAlpha(project.settings.alpha);
  return (
    <li class="card project-card">
      <a class="project-link" href={entrance(project)}>
        <h2>{project.name}</h2>
        <p>
          {counted(project.num_images, "image")}, {counted(project.num_landmarks, "landmark")}
          {alpha && <>, target {confidencePercent(alpha)}</>}
        </p>
        <p class="quiet">{stateOf(project)}</p>
      </a>
      <Button kind="quiet" label={`Delete ${project.name}`} onClick={() => (removing.value = true)}>
        Delete …
      </Button>
      {removing.value && (
        <DeleteProject project={project} onClose={() => (removing.value = false)} onGone={onGone} />
      )}
    </li>
  );
}

function DeleteProject(props: { project: Project; onClose: () => void; onGone: () => void }) {
  const typed = useSignal("");
  const call = useCall();
  const { project } = props;
  const remove = (event: Event) => {
    event.preventDefault();
    if (typed.value !== project.name) return;
    void call.run(async () => {
      await api.deleteProject(project.id);
      props.onClose();
      props.onGone();
    });
  };
  return (
    <Dialog title={`Delete "${project.name}"?`} onClose={props.onClose}>
      <form onSubmit={remove} class="stack">
        <p>
          Its {counted(project.num_images, "image")}, all points and their history are deleted
          permanently.{" "}
          <a href={api.backupUrl(project.id)} download>
            Download a backup first
          </a>
          .
        </p>
        <TextField
          label="Type the project's name to confirm"
          autocomplete="off"
          autofocus
          value={typed.value}
          onText={(text) => (typed.value = text)}
        />
        <Failure text={call.failure.value} />
        <div class="row end">
          <Button onClick={props.onClose}>Keep it</Button>
          <Button
            kind="danger"
            type="submit"
            disabled={typed.value !== project.name || call.busy.value}>
            Delete permanently
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
