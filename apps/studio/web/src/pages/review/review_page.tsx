// Review: regions for the unlabeled images, to be accepted or corrected.
import { useEffect } from "preact/hooks";
import { imageById, landmarks, project } from "../../project";
import { status } from "../../regions/status";
import { go, hrefOf } from "../../router";
import type { Project, StudioImage } from "../../types";
import { ReviewImage } from "./review_image";
import { nextUnreviewed } from "./review_order";
import { queue, useQueue } from "./review_queue";
import { QueueList } from "./review_queue_list";
import type { PageProps } from "../page_table";
import "./review.css";
import "./review_narrow.css";

export function ReviewPage({ route }: PageProps) {
  const open = project.value;
  return open === null ? null : <ReviewOf project={open} image={route.image} />;
}

function ReviewOf({ project: open, image }: { project: Project; image: number | null }) {
  useQueue(open.id);
  const images = queue.value;
  const missing = whyNothing(open);
  useEffect(() => {
    if (image !== null || images === null || missing !== null) return;
    const first = nextUnreviewed(images, null) ?? images[0]?.image ?? null;
    if (first !== null) go("review", open.id, first, true);
  }, [image, images, missing === null]);
  if (missing !== null) return missing;
  const shown = image === null ? undefined : imageById.value.get(image);
  return (
    <div class="review">
      <QueueList project={open.id} current={image} />
      {shown === undefined ? (
        <p class="empty">
          {image === null ? "Looking for the image to review …" : "Image not found."}
        </p>
      ) : shown.in_sample || shown.audit === "open" ? (
        <LabeledBlind project={open} image={shown} />
      ) : (
        <ReviewImage key={shown.id} project={open.id} image={shown} />
      )}
    </div>
  );
}

/** What has to be done before there is anything to review; null: nothing. */
function whyNothing(open: Project) {
  const known = status.value;
  if (landmarks.value.length === 0) {
    return (
      <Before
        text="There are no landmarks yet."
        href={hrefOf("scheme", open.id)}
        link="Name the landmarks"
      />
    );
  }
  if (open.sampling.kind === "none") {
    return (
      <Before
        text="Regions need a sample of labeled images."
        href={hrefOf("images", open.id)}
        link="Draw a sample"
      />
    );
  }
  if (known !== null && known.num_rest === 0) {
    return (
      <Before
        text="All images are in the sample: there is nothing left to review."
        href={hrefOf("export", open.id)}
        link="Export"
      />
    );
  }
  if (known !== null && known.num_labeled === 0) {
    return (
      <Before
        text="No image of the sample is labeled yet."
        href={hrefOf("annotate", open.id)}
        link="Label the first one"
      />
    );
  }
  return null;
}

function Before({ text, href, link }: { text: string; href: string; link: string }) {
  return (
    <div class="empty">
      <p>{text}</p>
      <p>
        <a class="button primary" href={href}>
          {link}
        </a>
      </p>
    </div>
  );
}

function LabeledBlind({ project: open, image }: { project: Project; image: StudioImage }) {
  return (
    <div class="empty">
      <p>
        <strong>{image.name}</strong> belongs to the {image.in_sample ? "sample" : "audit"}. It is
        labeled blind, so no regions are shown for it.
      </p>
      <p>
        <a class="button primary" href={hrefOf("annotate", open.id, image.id)}>
          Label it
        </a>
      </p>
    </div>
  );
}
