// The landmarks of the open image: how well each conforms, what was done, which is selected.
import { useEffect, useRef } from "preact/hooks";
import { landmarks } from "../../project";
import type { ImageRegions } from "../../regions/image_regions";
import { type Conformity, conformityColor, nothingConforms } from "../../regions/conformity";
import { sideText } from "../../regions/region_size";
import type { Landmark, Point } from "../../types";
import { alpha, colorBy } from "./review_state";

interface LandmarkListProps {
  regions: ImageRegions | null;
  /** Millimeters of a pixel; null: not known. */
  scale: number | null;
  points: readonly Point[];
  selected: number | null;
  onSelect: (landmark: number) => void;
}

const doneWords: Record<Point["source"], string> = {
  accept: "accepted",
  correct: "corrected",
  blind: "labeled",
  import: "imported",
  restore: "restored",
  auto: "auto-accepted",
};

/** What was done with a landmark, in a word. */
function wordOf(point: Point | undefined): string {
  if (point === undefined) return "";
  if (point.state === "missing") return "not visible";
  return point.state === "hidden" ? "hidden" : doneWords[point.source];
}

/** The color that stands for a landmark now. An empty region warns, whatever colors stand for. */
export function colorOf(landmark: Landmark, regions: ImageRegions | null): string {
  const kind = regions?.conformity(landmark.id, alpha.value) ?? null;
  const isPlain = colorBy.value === "landmark" && kind !== "empty";
  return kind === null || isPlain ? landmark.color : conformityColor(kind);
}

export function LandmarkList(props: LandmarkListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [props.selected]);
  return (
    <ol class="landmark-list" ref={list} aria-label="Landmarks">
      {landmarks.value.map((landmark, index) => (
        <li key={landmark.id}>
          <LandmarkRow {...props} landmark={landmark} number={index + 1} />
        </li>
      ))}
    </ol>
  );
}

function LandmarkRow(props: LandmarkListProps & { landmark: Landmark; number: number }) {
  const { landmark, number, regions, points, selected } = props;
  const area = regions?.area(landmark.id, alpha.value) ?? null;
  const why = regions?.unavailable.get(landmark.id);
  const word = wordOf(points.find((point) => point.landmark === landmark.id));
  const current = selected === landmark.id;
  const kind = regions?.conformity(landmark.id, alpha.value) ?? null;
  const warns = kind === "empty" && word === "";
  return (
    <button
      type="button"
      class={warns ? "warns" : ""}
      aria-current={current}
      onClick={() => props.onSelect(landmark.id)}
      title={why}>
      <svg width="14" height="14" aria-hidden="true">
        <rect width="14" height="14" rx="3" fill={colorOf(landmark, regions)} />
      </svg>
      <span class="landmark-name">
        {number} {landmark.name}
        {warns && current && <small class="landmark-warning">⚠ {nothingConforms}</small>}
      </span>
      {word === "" ? (
        <span class="landmark-size">
          {why !== undefined ? "no region" : warns ? (current ? "" : "⚠ empty") : sizeText(area, kind, props.scale)}
        </span>
      ) : (
        <span class="landmark-done">✓ {word}</span>
      )}
    </button>
  );
}

function sizeText(area: number | null, kind: Conformity | null, scale: number | null): string {
  if (area === null) return "";
  const side = sideText(area, scale);
  return kind === "doubtful" ? `doubtful, ${side}` : side;
}
