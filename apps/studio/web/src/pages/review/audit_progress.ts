// What the review says of an audit: where to begin one, or how far it is.
import type { Project, StudioImage } from "../../types";

export interface AuditWords {
  link: string;
  text: string;
}

/** null: the sample was not drawn, so there is nothing that could be audited. */
export function auditWords(
  { sampling }: Pick<Project, "sampling">,
  images: Pick<StudioImage, "audit" | "complete">[],
): AuditWords | null {
  if (sampling.kind !== "random") return null;
  const open = images.filter((image) => image.audit === "open");
  if (open.length > 0) {
    const labeled = open.filter((image) => image.complete).length;
    return {
      link: "Go on with the audit",
      text: `${labeled} of ${open.length} images are labeled`,
    };
  }
  if (images.some((image) => image.audit === "finished")) {
    return { link: "See the audit", text: "how many regions are right" };
  }
  return {
    link: "Audit this project",
    text: "bound how many regions are right, with images whose regions were not seen",
  };
}
