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
import { nextImage } from "./image_order";
import { Workspace } from "./annotate_workspace";

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
        <p>There are no images yet.</p>
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
  const list = listOf(which);
  const place = list.findIndex((one) => one.id === wanted);
  useFirstImage(open, image, list);
  usePreload(open, list[place + 1]);
  const show = (next: StudioImage | undefined) => next && go("annotate", open.id, next.id, true);
  return (
    <div class={listOpen ? "annotate" : "annotate list-closed"}>
      <nav class="image-side" aria-label="Images to label">
        <ListHead
          which={which}
          onWhich={setWhich}
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
            showState={reading === 1}
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
          skipped={which === "sample" ? skippedBefore(list, place) : undefined}
          onNextOpen={() => show(reading === 1 ? nextToDo(list, place, which) : list[place + 1])}
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
function skippedBefore(list: StudioImage[], place: number): StudioImage | undefined {
  return list.slice(0, Math.max(place, 0)).find((image) => !image.complete);
}

const doneWords: Record<Which, string> = {
  sample:
    "The sample is labeled. If you want to know how many regions of this project are right, go to Audit before Review.",
  audit: "The audit is labeled. Its page shows the result.",
  all: "Every image of this list is done.",
};

function nextToDo(list: StudioImage[], place: number, which: Which): StudioImage | undefined {
  const found = nextImage(list, place, isOrdered(which), isDone);
  if (!found) toast(doneWords[which], "success");
  return found;
}

// Labels that are on their way to the server count: a slow one must not send the user back.
function isDone(image: StudioImage): boolean {
  return image.complete || isShownComplete(project.value?.id ?? 0, image.id);
}

interface ListHeadProps {
  which: Which;
  onWhich: (which: Which) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
  hasSample: boolean;
  hasAudit: boolean;
}

function ListHead({ which, onWhich, open, onOpen, hasSample, hasAudit }: ListHeadProps) {
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
    </div>
  );
}
