// One image under review: regions and proposals on it, and what is done with them.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useKeys } from "../../keys";
import { LinesLayer, skeletonLines } from "../../measure/line_layers";
import { measures } from "../../measure/measures";
import { valueOf, valueText } from "../../measure/values";
import { landmarkById, landmarks, project as openProject } from "../../project";
import type { ImageRegions } from "../../regions/image_regions";
import { RegionLayer } from "../../regions/region_layer";
import { simultaneous } from "../../regions/status";
import { go } from "../../router";
import { laneOf } from "../../sync/entry";
import { useReading } from "../../sync/use_reading";
import type { Landmark, Point, StudioImage } from "../../types";
import { keptZoom } from "../../viewer/kept_zoom";
import { PictureControls, useWindow } from "../../viewer/picture_controls";
import { markerOf, pointMarker } from "../../viewer/point_markers";
import type { Stage } from "../../viewer/stage";
import {
  type Marker,
  type Position,
  Viewer,
  ZoomButtons,
  pictureOf,
  zoomKeys,
} from "../../viewer/viewer";
import { Failure } from "../../components/page_parts";
import { type ReviewActions, useReviewActions } from "./review_actions";
import { ReviewControls } from "./review_controls";
import { reviewKeys } from "./review_keys";
import { LandmarkList, colorOf } from "./review_landmark_list";
import { neighbor, nextUnreviewed } from "./review_order";
import { queue } from "./review_queue";
import { useRegions } from "./review_regions";
import { alpha, showAll } from "./review_state";
import { SupportingReferences } from "./supporting_references";
import { ReviewToolbar } from "./review_toolbar";

export function ReviewImage({ project, image }: { project: number; image: StudioImage }) {
  const lane = laneOf({ project, image: image.id, reading: 1 });
  const open = useReading(project, image.id, 1);
  const { regions: computed, failure } = useRegions(project, image.id, simultaneous.value);
  // Proposals are shown when they can be decided on, which needs the points that are there already.
  const regions = open.reading === null ? null : computed;
  const hovered = useSignal<number | null>(null);
  const stage = useRef<Stage | null>(null);
  const walk = (found: number | null) =>
    found !== null && found !== image.id && go("review", project, found);
  const toNext = () => walk(nextUnreviewed(queue.value ?? [], image.id));
  const toNeighbor = (step: number) => walk(neighbor(queue.value ?? [], image.id, step));
  // As it was when the image was opened: the selection must not move under the reviewer's hand.
  const first = useRef<number | null>(null);
  first.current ??= queue.value?.find((one) => one.image === image.id)?.worst_landmark ?? null;
  const actions = useReviewActions({
    lane,
    image,
    open,
    regions,
    first: first.current,
    onDone: toNext,
  });
  const placeOf = (landmark: number | null) => (landmark === null ? null : actions.placeOf(landmark));
  useKeys("Review", [
    ...reviewKeys(actions, toNeighbor, toNext),
    ...zoomKeys(stage, () => placeOf(actions.selected)),
  ]);
  // Keys belong to the image unless a control has the focus.
  const focus = () => stage.current?.focus();
  useEffect(focus, []);
  const select = (one: number) => {
    actions.select(one);
    const place = actions.placeOf(one);
    if (place !== null) stage.current?.reveal(place);
    focus();
  };

  const [window, setWindow] = useWindow(image.id);
  const source = useMemo(
    () => pictureOf(project, image, window ?? undefined),
    [project, image.id, window?.low, window?.high],
  );
  const { points, selected } = actions;
  const scale = image.mm_per_pixel ?? openProject.value?.settings.mm_per_pixel ?? null;
  // Where the zoom was kept, what is selected first comes into sight.
  const isShown = regions !== null;
  useEffect(() => {
    const place = placeOf(actions.selected);
    if (place !== null && keptZoom(project) !== null) stage.current?.reveal(place);
  }, [image.id, isShown]);
  const landmark = selected === null ? undefined : landmarkById.value.get(selected);
  return (
    <>
      <section class="review-middle" aria-label={`Review of ${image.name}`}>
        <ReviewToolbar
          image={image}
          actions={actions}
          onNeighbor={toNeighbor}
          onNext={toNext}
          onDone={focus}
        />
        <div class="review-stage">
          <Viewer
            source={source}
            label={`${image.name} with regions of ${landmarks.value.length} landmarks`}
            markers={shownMarkers(points, regions, selected)}
            selected={selected}
            stage={stage}
            layers={[
              ...layersOf(points, regions, selected),
              new LinesLayer(skeletonLines(measures.value.skeleton, placeOf)),
            ]}
            keepsFor={project}
            onSelect={select}
            describedBy="review-help"
            onMove={(landmark, at) => actions.correct(landmark, at)}
            onPlace={(at) => clicked(at, actions, regions, select)}
            onHover={(at) => (hovered.value = patchUnder(at, regions))}
          />
          <p id="review-help" class="visually-hidden">
            Tab goes through the landmarks, Enter accepts a proposal, arrow keys move it, question
            mark shows all keys.
          </p>
          <ZoomButtons stage={stage} />
          <PictureControls project={project} image={image.id} window={window} onWindow={setWindow} />
        </div>
        <Failure text={failure || (open.error ?? "")} />
      </section>
      <aside class="review-side" aria-label="Regions and landmarks">
        <ReviewControls regions={regions} image={image} scale={scale} />
        <LandmarkList regions={regions} scale={scale} points={points} selected={selected} onSelect={select} />
        <MeasureValues points={points} regions={regions} scale={scale} />
        {regions !== null && landmark !== undefined && (
          <SupportingReferences
            project={project}
            regions={regions}
            landmark={landmark}
            patch={hovered.value}
          />
        )}
      </aside>
    </>
  );
}

/** Lengths and angles from points, and from proposals where there are none yet. */
function MeasureValues(props: {
  points: readonly Point[];
  regions: ImageRegions | null;
  scale: number | null;
}) {
  const { measures: all } = measures.value;
  if (all.length === 0) return null;
  const known = new Set(props.points.map((point) => point.landmark));
  const proposed = [...(props.regions?.proposals ?? [])]
    .filter(([landmark]) => !known.has(landmark))
    .map(([landmark, { x, y }]) => ({ landmark, x, y }) as Point);
  const places = [...props.points, ...proposed];
  return (
    <dl class="measure-values" aria-label="Measures of this image">
      {all.map((measure) => (
        <div key={measure.name}>
          <dt>{measure.name}</dt>
          <dd>{valueText(measure, valueOf(measure, places), props.scale)}</dd>
        </div>
      ))}
    </dl>
  );
}

function patchUnder(at: Position | null, regions: ImageRegions | null): number | null {
  const patch = at === null || regions === null ? -1 : regions.patchAt(at.x, at.y);
  return patch < 0 ? null : patch;
}

/** A click on a region selects it; a landmark that has no place yet at all gets the one clicked. */
function clicked(
  at: Position,
  actions: ReviewActions,
  regions: ImageRegions | null,
  select: (landmark: number) => void,
): void {
  const { selected } = actions;
  if (selected !== null && actions.placeOf(selected) === null) return actions.correct(selected, at);
  const patch = patchUnder(at, regions);
  const found = patch === null || regions === null ? null : regions.landmarkAt(patch, alpha.value);
  if (found !== null) select(found);
}

function shownMarker(
  landmark: Landmark,
  index: number,
  point: Point | undefined,
  regions: ImageRegions | null,
): Marker | null {
  const colored = { ...landmark, color: colorOf(landmark, regions) };
  if (point !== undefined) return pointMarker(colored, index, point);
  const proposal = regions?.proposals.get(landmark.id);
  return proposal === undefined ? null : markerOf(colored, index, proposal, "proposal");
}

function shownMarkers(
  points: readonly Point[],
  regions: ImageRegions | null,
  selected: number | null,
): Marker[] {
  const byLandmark = new Map(points.map((point) => [point.landmark, point]));
  return landmarks.value.flatMap((landmark, index) => {
    if (!showAll.value && landmark.id !== selected) return [];
    const marker = shownMarker(landmark, index, byLandmark.get(landmark.id), regions);
    return marker === null ? [] : [marker];
  });
}

function layersOf(points: readonly Point[], regions: ImageRegions | null, selected: number | null) {
  if (regions === null) return [];
  const colors = new Map(
    landmarks.value.map((landmark) => [landmark.id, colorOf(landmark, regions)]),
  );
  return [
    new RegionLayer(regions, {
      alpha: alpha.value,
      selected,
      showAll: showAll.value,
      colorOf: (landmark) => colors.get(landmark) ?? "#ffffff",
      placed: new Set(points.map((point) => point.landmark)),
    }),
  ];
}
