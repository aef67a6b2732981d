// Where a project stands on its way, and the one thing to do next.
import { counted } from "../../counted";
import { images, isForReview, landmarks, sample } from "../../project";
import { type PageName, hrefOf } from "../../router";
import type { Project } from "../../types";

interface Step {
  title: string;
  page: PageName;
  done: boolean;
  about: string;
}

function sampleWords({ sampling }: Project): string {
  if (sampling.kind === "none") return "not drawn";
  return `${sampling.size} ${sampling.kind === "random" ? "drawn" : "given"}`;
}

function stepsOf(project: Project): Step[] {
  const all = images.value;
  const drawn = project.sampling.kind !== "none";
  const labeled = sample.value.filter((image) => image.complete).length;
  const rest = all.filter(isForReview);
  const reviewed = drawn ? rest.filter((image) => image.complete).length : 0;
  return [
    { title: "Images", page: "images", done: all.length > 0, about: counted(all.length, "image") },
    {
      title: "Landmarks",
      page: "scheme",
      done: landmarks.value.length > 0,
      about: counted(landmarks.value.length, "landmark"),
    },
    {
      title: "Sample",
      page: "images",
      done: drawn,
      about: sampleWords(project),
    },
    {
      title: "Label",
      page: "annotate",
      done: drawn && labeled === sample.value.length && labeled > 0,
      about: drawn ? `${labeled} of ${sample.value.length}` : "after the draw",
    },
    {
      title: "Review",
      page: "review",
      done: drawn && rest.length > 0 && reviewed === rest.length,
      about: drawn ? `${reviewed} of ${rest.length}` : "the rest",
    },
    { title: "Export", page: "export", done: false, about: "any time" },
  ];
}

/** Six steps; those done are ticked, the next is marked. */
export function NextSteps({ project }: { project: Project }) {
  const steps = stepsOf(project);
  const next = steps.findIndex((step) => !step.done);
  return (
    <nav aria-label="Steps of the project">
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={step.title} class={step.done ? "done" : index === next ? "next" : ""}>
            <a
              href={hrefOf(step.page, project.id)}
              aria-current={index === next ? "step" : undefined}>
              <span class="step-sign" aria-hidden="true">
                {step.done ? "✓" : index + 1}
              </span>
              <span>
                <strong>{step.title}</strong>
                <small>{step.about}</small>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
