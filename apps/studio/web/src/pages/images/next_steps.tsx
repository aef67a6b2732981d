// The one thing to do next in a project.
import { images, isForReview, landmarks, sample } from "../../project";
import { type PageName, hrefOf } from "../../router";
import type { Project } from "../../types";

interface Step {
  text: string;
  page: PageName;
  link: string;
}

function nextStep(project: Project): Step | null {
  if (images.value.length === 0) return null;
  if (landmarks.value.length === 0) {
    return { text: "name the landmarks to be found", page: "scheme", link: "Landmarks" };
  }
  if (project.sampling.kind === "none") return null;
  const left = sample.value.filter((image) => !image.complete).length;
  if (left > 0) return null;
  const rest = images.value.filter(isForReview);
  return rest.some((image) => !image.complete)
    ? { text: "review the other images", page: "review", link: "Review" }
    : { text: "everything is done; take the result with you", page: "export", link: "Export" };
}

/** Nothing where the page itself has what comes next: a place for images, a draw, a sample. */
export function NextStep({ project }: { project: Project }) {
  const step = nextStep(project);
  if (step === null) return null;
  return (
    <p class="next-step">
      <span>
        <strong>Next:</strong> {step.text}
      </span>
      <a class="button primary" href={hrefOf(step.page, project.id)}>
        {step.link}
      </a>
    </p>
  );
}
