// The one thing to do next in a project.
import { images, isForReview, landmarks, sample } from "../../project";
import { type PageName, hrefOf } from "../../router";
import type { Project } from "../../types";

interface Step {
  text: string;
  page: PageName;
  link: string;
  /** What can only be done before that. */
  before?: { page: PageName; link: string };
}

function nextStep(project: Project): Step | null {
  if (images.value.length === 0) return null;
  if (landmarks.value.length === 0) {
    return { text: "name the landmarks to be found", page: "scheme", link: "Landmarks" };
  }
  if (project.sampling.kind === "none") return null;
  const left = sample.value.filter((image) => !image.complete).length;
  if (left > 0) return null;
  if (!images.value.some((image) => isForReview(image) && !image.complete)) {
    return { text: "everything is done; take the result with you", page: "export", link: "Export" };
  }
  const review: Step = { text: "review the other images", page: "review", link: "Review" };
  if (project.integrity.results_seen_at !== null) return review;
  return {
    ...review,
    text: "review the other images, or first accept what needs no review",
    before: { page: "accept", link: "Accept without review" },
  };
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
      <span class="row">
        {step.before && (
          <a class="button" href={hrefOf(step.before.page, project.id)}>
            {step.before.link}
          </a>
        )}
        <a class="button primary" href={hrefOf(step.page, project.id)}>
          {step.link}
        </a>
      </span>
    </p>
  );
}
