// The queue at the side: what to look at next, least conforming first or in random order.
import { useEffect, useRef } from "preact/hooks";
import * as api from "../../api";
import { SelectField } from "../../components/field";
import { counted } from "../../counted";
import { imageById, images as allImages, project as openProject } from "../../project";
import { LargeRegions, sideText } from "../../regions/region_size";
import { hrefOf } from "../../router";
import type { QueueImage } from "../../types";
import { Failure } from "../../components/page_parts";
import { auditWords } from "./audit_progress";
import { queue, queueFailure } from "./review_queue";
import { type QueueOrder, order } from "./review_state";

const orders: { value: QueueOrder; text: string }[] = [
  { value: "worst", text: "Worst first" },
  { value: "random", text: "Random order" },
];

export function QueueList({ project, current }: { project: number; current: number | null }) {
  const list = useRef<HTMLOListElement>(null);
  const images = queue.value;
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [current, images?.length]);
  const reviewed = images?.filter((one) => one.reviewed).length ?? 0;
  return (
    <aside class="queue" aria-label="Images to review">
      <SelectField
        label="Queue"
        value={order.value}
        options={orders}
        onValue={(value) => (order.value = value)}
      />
      {images !== null && (
        <p class="muted small-text">
          {reviewed} of {images.length} reviewed
        </p>
      )}
      <QueueSizes project={project} />
      <AuditLink />
      <Failure text={queueFailure.value} />
      <ol ref={list}>
        {images?.map((one) => (
          <QueueItem
            key={one.image}
            project={project}
            entry={one}
            current={one.image === current}
          />
        ))}
      </ol>
    </aside>
  );
}

/** How large regions are in this project, and where proposals can be accepted unseen. */
function QueueSizes({ project }: { project: number }) {
  const known = queue.value?.filter((one) => one.predicted) ?? [];
  if (known.length === 0) return null;
  const mean = (value: (one: QueueImage) => number) =>
    known.reduce((sum, one) => sum + value(one), 0) / known.length;
  const scale = openProject.value?.settings.mm_per_pixel ?? null;
  return (
    <>
      <p class="muted small-text">
        Average region {sideText(mean((one) => one.mean_area), scale)}
      </p>
      <LargeRegions share={mean((one) => one.mean_share)} project={project} />
      <p class="muted small-text">
        <a href={hrefOf("accept", project)}>Accept without review</a>
      </p>
    </>
  );
}

function AuditLink() {
  const open = openProject.value;
  const words = open === null ? null : auditWords(open, allImages.value);
  if (open === null || words === null) return null;
  return (
    <p class="muted small-text">
      <a href={hrefOf("audit", open.id)} title={words.text}>
        {words.link}
      </a>
    </p>
  );
}

function conformityText(entry: QueueImage): string {
  if (!entry.predicted) return "waiting …";
  if (entry.empty_regions > 0) return `⚠ ${counted(entry.empty_regions, "empty region")}`;
  return `lowest p-value ${entry.lowest_p_value.toFixed(2)}`;
}

function QueueItem({
  project,
  entry,
  current,
}: {
  project: number;
  entry: QueueImage;
  current: boolean;
}) {
  const name = imageById.value.get(entry.image)?.name ?? `image ${entry.image}`;
  return (
    <li>
      <a
        href={hrefOf("review", project, entry.image)}
        aria-current={current}
        aria-label={`${name}, ${conformityText(entry)}${entry.reviewed ? ", reviewed" : ""}`}>
        <img
          src={api.thumbnailUrl(project, entry.image)}
          alt=""
          loading="lazy"
          width={44}
          height={44}
        />
        <span>
          <span class="queue-name">{name}</span>
          <small class={entry.empty_regions > 0 && !entry.reviewed ? "warns" : ""}>
            {entry.reviewed ? "✓ reviewed" : conformityText(entry)}
          </small>
        </span>
      </a>
    </li>
  );
}
