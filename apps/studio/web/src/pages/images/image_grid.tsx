// All images of a project as thumbnails with their state.
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import * as api from "../../api";
import { byName } from "../../by_name";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { counted } from "../../counted";
import { images, isForReview, landmarks, reloadProject, replaceImage } from "../../project";
import { hrefOf } from "../../router";
import { useRowsInSight } from "../../rows_in_sight";
import type { Project, SamplingKind, StudioImage } from "../../types";
import { Failure, useCall } from "../../components/page_parts";

export type ImageFilter = "all" | "sample" | "todo" | "audit" | "rest" | "reviewed";

export const filters: { value: ImageFilter; text: string }[] = [
  { value: "all", text: "All images" },
  { value: "sample", text: "In the sample" },
  { value: "todo", text: "In the sample, to label" },
  { value: "audit", text: "In an audit" },
  { value: "rest", text: "Outside, to review" },
  { value: "reviewed", text: "Outside, reviewed" },
];

/** Whether a filter shows an image. */
export function passes(image: StudioImage, filter: ImageFilter): boolean {
  if (filter === "sample") return image.in_sample;
  if (filter === "todo") return image.in_sample && !image.complete;
  if (filter === "audit") return image.audit !== "none";
  if (filter === "rest") return isForReview(image) && !image.complete;
  if (filter === "reviewed") return isForReview(image) && image.complete;
  return true;
}

interface ImageState {
  tone: string;
  sign: string;
  text: string;
}

/** What an image waits for. */
export function stateOf(image: StudioImage, kind: SamplingKind): ImageState {
  const all = landmarks.value.length;
  const part = image.num_points > 0 && !image.complete ? ` ${image.num_points}/${all}` : "";
  if (kind === "none") {
    return image.complete
      ? { tone: "good", sign: "●", text: "labeled" }
      : { tone: "", sign: "○", text: `new${part}` };
  }
  if (image.in_sample) {
    return image.complete
      ? { tone: "good", sign: "●", text: kind === "random" ? "labeled blind" : "labeled" }
      : { tone: "warn", sign: "○", text: `to label${part}` };
  }
  if (image.audit !== "none") {
    return image.complete
      ? { tone: "good", sign: "◆", text: "audited blind" }
      : { tone: "warn", sign: "◇", text: `audit: to label${part}` };
  }
  return image.complete
    ? { tone: "good", sign: "✓", text: "reviewed" }
    : { tone: "", sign: "▢", text: `to review${part}` };
}

/** Where a click on an image leads: blind labeling in the sample and an open audit, else review. */
function hrefOfImage(project: Project, image: StudioImage): string {
  const blind = image.in_sample || image.audit === "open";
  const review = project.sampling.kind !== "none" && !blind;
  return hrefOf(review ? "review" : "annotate", project.id, image.id);
}

/** The images that a filter shows, whose names contain a text. Uploads run side by side, so the order
 *  of arrival has no meaning. */
export function useShownImages(filter: ImageFilter, text: string): StudioImage[] {
  const all = images.value;
  const sorted = useMemo(() => [...all].sort(byName), [all]);
  const wanted = text.trim().toLowerCase();
  return sorted.filter(
    (image) => passes(image, filter) && image.name.toLowerCase().includes(wanted),
  );
}

/** Images as cards; of thousands only those in sight. */
export function ImageGrid({ project, shown }: { project: Project; shown: StudioImage[] }) {
  const removing = useSignal<StudioImage | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const { from, to, before, after } = useRowsInSight(list, shown.length);
  if (shown.length === 0) return <p class="empty">No image is like that.</p>;
  return (
    <>
      <ul class="image-grid" aria-label="Images" ref={list}>
        {before > 0 && <li class="space" aria-hidden="true" style={{ height: `${before}px` }} />}
        {shown.slice(from, to).map((image, index) => (
          <ImageCard
            key={image.id}
            project={project}
            image={image}
            place={from + index + 1}
            total={shown.length}
            onRemove={() => (removing.value = image)}
          />
        ))}
        {after > 0 && <li class="space" aria-hidden="true" style={{ height: `${after}px` }} />}
      </ul>
      {removing.value !== null && (
        <RemoveImage
          project={project}
          image={removing.value}
          onClose={() => (removing.value = null)}
        />
      )}
    </>
  );
}

interface ImageCardProps {
  project: Project;
  image: StudioImage;
  /** From 1, among all that could be seen by scrolling. */
  place: number;
  total: number;
  onRemove: () => void;
}

function ImageCard({ project, image, place, total, onRemove }: ImageCardProps) {
  const state = stateOf(image, project.sampling.kind);
  return (
    <li class="image-card" aria-posinset={place} aria-setsize={total}>
      <a href={hrefOfImage(project, image)} aria-label={`${image.name}, ${state.text}`}>
        <img src={api.thumbnailUrl(project.id, image.id)} alt="" loading="lazy" decoding="async" />
        <span class="image-name" title={image.name}>
          {image.name}
        </span>
      </a>
      <div class="image-line">
        <span class={`badge ${state.tone}`}>
          <span aria-hidden="true">{state.sign}</span>
          {state.text}
        </span>
        <Button kind="quiet" class="sign small" label={`Delete ${image.name}`} onClick={onRemove}>
          ✕
        </Button>
      </div>
      <SubjectInput project={project.id} image={image} />
    </li>
  );
}

function SubjectInput({ project, image }: { project: number; image: StudioImage }) {
  const call = useCall();
  const store = (event: Event) => {
    const text = (event.currentTarget as HTMLInputElement).value.trim();
    const subject = text === "" ? null : text;
    if (subject === image.subject) return;
    void call.run(async () => replaceImage(await api.updateImage(project, image.id, { subject })));
  };
  return (
    <>
      <input
        class="subject"
        type="text"
        value={image.subject ?? ""}
        placeholder="subject"
        aria-label={`Subject of ${image.name}`}
        maxLength={200}
        onChange={store}
      />
      <Failure text={call.failure.value} />
    </>
  );
}

interface RemoveImageProps {
  project: Project;
  image: StudioImage;
  onClose: () => void;
}

function RemoveImage({ project, image, onClose }: RemoveImageProps) {
  const call = useCall();
  const remove = () =>
    call.run(async () => {
      await api.deleteImage(project.id, image.id);
      await reloadProject();
      onClose();
    });
  const actions = (
    <>
      <Button onClick={onClose}>Keep it</Button>
      <Button kind="danger" disabled={call.busy.value} onClick={remove}>
        Delete the image
      </Button>
    </>
  );
  return (
    <Dialog title={`Delete "${image.name}"?`} onClose={onClose} actions={actions}>
      <p>
        {image.num_points > 0
          ? `Its ${counted(image.num_points, "point")} and their history go with it.`
          : "It has no points yet."}
      </p>
      {image.in_sample && (
        <p class="note warn">
          It belongs to the sample. A sample from which images were taken by choice is no longer
          random: without this one there is no guarantee any more, for good.
        </p>
      )}
      {image.order !== null && !image.in_sample && (
        <p class="note warn">
          {project.settings.target === "image" && image.subject !== null
            ? "The guarantee is for a random image of the pool, which this one belongs to: without it there is no guarantee any more, for good."
            : "It belongs to the pool that was drawn from. Should the sample be extended to its place later, there is no guarantee any more."}
        </p>
      )}
      <Failure text={call.failure.value} />
    </Dialog>
  );
}
