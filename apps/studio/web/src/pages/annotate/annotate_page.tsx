// The page where images are labeled, by hand and blind.
import { useEffect, useMemo, useState } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { toast } from "../../components/toast";
import type { PageProps } from "../page_table";
import { auditImages, imageById, images, landmarks, project, sample } from "../../project";
import { go, hrefOf } from "../../router";
import { isShownComplete } from "../../sync/shown_complete";
import type { Project, ReadingNumber, StudioImage } from "../../types";
import { ImageList } from "./image_list";
import { type ListSort, nextImage, sorted } from "./image_order";
import { type AllDone, Workspace } from "./annotate_workspace";
import "./annotate.css";
import "./annotate_narrow.css";

type Which = "sample" | "audit" | "all";

/** Lists that are worked through in their random order. */
const isOrdered = (which: Which): boolean => which !== "all";

function listOf(which: Which): StudioImage[] {
  if (which === "sample") return sample.value;
  return which === "audit" ? auditImages.value : images.value;
}

export function AnnotatePage({ route }: PageProps) {
  const open = project.value;
  if (!open) return null;
  if (images.value.length === 0) {
    return (
      <div class="empty">
        <p>This project has no images yet.</p>
        <a class="button primary" href={hrefOf("images", open.id)}>
          Add images
        </a>
      </div>
    );
  }
  return <Annotate project={open} wanted={route.image} />;
}

function Annotate({ project: open, wanted }: { project: Project; wanted: number | null }) {
  const image = wanted === null ? undefined : imageById.value.get(wanted);
  const [which, setWhich] = useState<Which>(startWith(open, image));
  const [reading, setReading] = useState<ReadingNumber>(1);
  const [listOpen, setListOpen] = useState(window.innerWidth > 1100);
  const choose = (next: Which) => {
    setWhich(next);
    setSort(isOrdered(next) ? "draw" : "name");
  };
  const [sort, setSort] = useState<ListSort>(isOrdered(which) ? "draw" : "name");
  // What comes next does not depend on how the list is shown.
  const list = sorted(listOf(which), sort);
  const place = list.findIndex((one) => one.id === wanted);
  useFirstImage(open, image, list);
  usePreload(open, list[place + 1]);
  const show = (next: StudioImage | undefined) => next && go("annotate", open.id, next.id, true);
  return (
    <div class={listOpen ? "annotate" : "annotate list-closed"}>
      <nav class="image-side" aria-label="Images to label">
        <ListHead
          which={which}
          onWhich={choose}
          sort={sort}
          onSort={setSort}
          open={listOpen}
          onOpen={setListOpen}
          hasSample={open.sampling.kind !== "none"}
          hasAudit={auditImages.value.length > 0}
        />
        {listOpen && (
          <ImageList
            project={open.id}
            images={list}
            current={wanted}
            numLandmarks={landmarks.value.length}
            reading={reading}
            hrefOf={(id) => hrefOf("annotate", open.id, id)}
          />
        )}
      </nav>
      {image ? (
        <Workspace
          key={`${image.id} ${reading}`}
          project={open}
          image={image}
          place={place}
          total={list.length}
          reading={reading}
          landmarks={landmarks.value}
          onReading={setReading}
          onImage={(step) => show(list[place + step])}
          skipped={which === "sample" ? skippedBefore(listOf(which), image) : undefined}
          allDone={reading === 1 ? whenDone(open, listOf(which), which) : null}
          onNextOpen={() => show(nextToDo(listOf(which), image, which, reading))}
        />
      ) : (
        <p class="empty">Choose an image.</p>
      )}
    </div>
  );
}

function startWith(open: Project, image: StudioImage | undefined): Which {
  if (open.sampling.kind === "none") return "all";
  if (image?.audit === "open") return "audit";
  return image && !image.in_sample ? "all" : "sample";
}

// Without an image in the address: the first that is not done.
function useFirstImage(open: Project, image: StudioImage | undefined, list: StudioImage[]): void {
  useEffect(() => {
    if (image) return;
    const first = list.find((one) => !one.complete) ?? list[0];
    if (first) go("annotate", open.id, first.id, true);
  }, [image?.id, list.length]);
}

// The next image is there when it is wanted.
function usePreload(open: Project, next: StudioImage | undefined): void {
  const address = useMemo(() => next && api.previewUrl(open.id, next.id), [next?.id]);
  useEffect(() => {
    if (address) new Image().src = address;
  }, [address]);
}

// The guarantee holds by design as long as the sample is labeled in its order.
function skippedBefore(list: StudioImage[], current: StudioImage): StudioImage | undefined {
  const place = list.indexOf(current);
  return list.slice(0, Math.max(place, 0)).find((image) => !image.complete);
}

/** Where to go from a list that is done; null: it is not. */
function whenDone(open: Project, list: StudioImage[], which: Which): AllDone | null {
  if (list.length === 0 || !list.every(isDone)) return null;
  if (which === "audit") {
    return {
      words: "The audit is labeled",
      link: "Show its result",
      href: hrefOf("audit", open.id),
    };
  }
  if (which === "sample" && images.value.some((image) => !image.in_sample)) {
    return {
      words: "The sample is labeled",
      link: "Review the other images",
      href: hrefOf("review", open.id),
      // What may be accepted unseen is chosen before regions are seen.
      ...(open.integrity.results_seen_at === null && {
        before: { link: "Accept some unseen first", href: hrefOf("accept", open.id) },
      }),
    };
  }
  return { words: "All images are labeled", link: "Export", href: hrefOf("export", open.id) };
}

function nextToDo(
  list: StudioImage[],
  current: StudioImage,
  which: Which,
  reading: ReadingNumber,
): StudioImage | undefined {
  const isLeft = (image: StudioImage) => (reading === 1 ? !isDone(image) : !image.complete_2);
  const found = nextImage(list, list.indexOf(current), isOrdered(which), (one) => !isLeft(one));
  if (!found) toast("Every image of this list is done.", "success");
  return found;
}

// Labels that are on their way to the server count: a slow one must not send the user back.
function isDone(image: StudioImage): boolean {
  return image.complete || isShownComplete(project.value?.id ?? 0, image.id);
}

interface ListHeadProps {
  which: Which;
  onWhich: (which: Which) => void;
  sort: ListSort;
  onSort: (sort: ListSort) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
  hasSample: boolean;
  hasAudit: boolean;
}

function ListHead(props: ListHeadProps) {
  const { which, onWhich, sort, onSort, open, onOpen, hasSample, hasAudit } = props;
  return (
    <div class="list-head">
      <Button
        class="sign"
        kind="quiet"
        aria-expanded={open}
        label={open ? "Hide the list of images" : "Show the list of images"}
        onClick={() => onOpen(!open)}
      >
        ☰
      </Button>
      {open && (
        <select
          aria-label="Which images"
          value={which}
          onChange={(event) => {
            onWhich(event.currentTarget.value as Which);
            // The page's keys work again at once.
            event.currentTarget.blur();
          }}
        >
          <option value="sample" disabled={!hasSample}>
            Sample
          </option>
          {(hasAudit || which === "audit") && <option value="audit">Audit</option>}
          <option value="all">All images</option>
        </select>
      )}
      {open && (
        <select
          aria-label="Sort by"
          value={sort}
          onChange={(event) => {
            onSort(event.currentTarget.value as ListSort);
            event.currentTarget.blur();
          }}
        >
          <option value="draw">Draw order</option>
          <option value="name">Name</option>
        </select>
      )}
    </div>
  );
}
