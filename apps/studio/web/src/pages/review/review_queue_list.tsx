// The queue at the side: what to look at next, least conforming first or in random order.
import { useEffect, useRef } from "preact/hooks";
import * as api from "../../api";
import { SelectField } from "../../components/field";
import { imageById, images as allImages, project as openProject } from "../../project";
import { conformityOfP, stepOf } from "../../regions/conformity";
import { LargeRegions, sideText } from "../../regions/region_size";
import { hrefOf } from "../../router";
import { scrollToItem, useRowsInSight } from "../../rows_in_sight";
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
  const count = images?.length ?? 0;
  const { from, to, before, after } = useRowsInSight(list, count);
  useEffect(() => {
    scrollToItem(list.current, images?.findIndex((one) => one.image === current) ?? -1);
  }, [current, count]);
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
        <Space size={before} />
        {images?.slice(from, to).map((one, index) => (
          <QueueItem
            key={one.image}
            project={project}
            entry={one}
            place={from + index + 1}
            total={count}
            current={one.image === current}
          />
        ))}
        <Space size={after} />
      </ol>
    </aside>
  );
}

/** Room for images that are not in sight, whether the queue is a list or a strip. */
function Space({ size }: { size: number }) {
  if (size === 0) return null;
  return <li class="space" aria-hidden="true" style={{ "--size": `${size}px` }} />;
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
      {openProject.value && (
        <LargeRegions share={mean((one) => one.mean_share)} project={openProject.value} />
      )}
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

/** How well the worst landmark of an image conforms. */
function conformityText(entry: QueueImage): string {
  if (!entry.predicted) return "waiting …";
  if (entry.empty_regions > 0) return `⚠ ${entry.empty_regions} empty`;
  return stepOf(conformityOfP(entry.lowest_p_value)).label;
}

function conformityTitle(entry: QueueImage): string | undefined {
  if (!entry.predicted) return undefined;
  return `Lowest p-value of a landmark: ${entry.lowest_p_value.toFixed(2)}`;
}

function ConformityDot({ entry }: { entry: QueueImage }) {
  if (!entry.predicted || entry.reviewed || entry.empty_regions > 0) return null;
  const { color } = stepOf(conformityOfP(entry.lowest_p_value));
  return (
    <svg width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={color} />
    </svg>
  );
}

function QueueItem({
  project,
  entry,
  place,
  total,
  current,
}: {
  project: number;
  entry: QueueImage;
  place: number;
  total: number;
  current: boolean;
}) {
  const name = imageById.value.get(entry.image)?.name ?? `image ${entry.image}`;
  return (
    <li aria-posinset={place} aria-setsize={total}>
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
          <small
            class={entry.empty_regions > 0 && !entry.reviewed ? "warns" : ""}
            title={conformityTitle(entry)}>
            <ConformityDot entry={entry} />
            <span>{entry.reviewed ? "✓ reviewed" : conformityText(entry)}</span>
          </small>
        </span>
      </a>
    </li>
  );
}
