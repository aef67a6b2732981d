// The image viewer: zoom about the pointer by wheel, pan by drag, pinch on touch, points on top.
import type { MutableRef } from "preact/hooks";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../components/button";
import { onReconnect } from "../events";
import type { KeyBinding } from "../keys";
import type { StudioImage } from "../types";
import { bare, filterOf, look } from "./look";
import type { Marker } from "./markers";
import { Stage } from "./stage";
import type { Box, Layer, StageActions, StageContent } from "./stage_content";
import type { PictureSource } from "./picture";

export type { Layer } from "./stage_content";
export type { Marker } from "./markers";
export type { Position, Size, View } from "./view";

interface ViewerProps extends StageActions {
  /** Keep it between renderings (useMemo): another preview address is another image. */
  source: PictureSource;
  /** What a screen reader says it is. */
  label: string;
  markers: Marker[];
  selected?: number | null;
  /** Drawn between image and points, in order. */
  layers?: Layer[];
  crosshair?: StageContent["crosshair"];
  /** Gets the stage, to zoom, fit and reveal from outside. */
  stage?: MutableRef<Stage | null>;
  /** Takes the focus, and says how it is used: for pages where points are placed. */
  describedBy?: string;
  /** Where to look first, instead of at the whole image. */
  lookAt?: Box | null;
  /** The project whose images keep zoom and brightness from one to the next. */
  keepsFor?: number;
}

/** Where the pixels of an image come from. */
export function pictureOf(
  project: number,
  image: StudioImage,
  window?: api.Window,
): PictureSource {
  return {
    size: { width: image.width, height: image.height },
    preview: api.previewUrl(project, image.id, window),
    tile: (column, row) => api.tileUrl(project, image.id, column, row, window),
  };
}

export function Viewer(props: ViewerProps) {
  const element = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useLayoutEffect(() => {
    if (!element.current || !below.current || !above.current) return;
    const made = new Stage(element.current, below.current, above.current);
    stage.current = made;
    if (props.stage) props.stage.current = made;
    return () => made.close();
  }, []);
  // Read while it is rendered, so that a change of either draws the stage again.
  const isKept = props.keepsFor !== undefined;
  const shown: Shown = {
    bare: isKept && bare.value,
    filter: isKept ? filterOf(look.value) : "none",
  };
  useLayoutEffect(() => {
    stage.current?.update({ ...contentOf(props), ...shown }, actionsOf(props, setFailed));
  });
  useLayoutEffect(() => {
    setFailed(false);
    stage.current?.show(again(props.source, attempt), props.keepsFor ?? null);
  }, [props.source.preview, attempt]);
  useLayoutEffect(() => {
    if (props.lookAt) stage.current?.fitTo(props.lookAt);
  }, [props.lookAt]);
  const retry = () => setAttempt((count) => count + 1);
  useEffect(() => (failed ? onReconnect(retry) : undefined), [failed]);
  return (
    <div class="viewer-frame">
      <div
        ref={element}
        class="viewer"
        data-testid="viewer"
        aria-label={props.label}
        role={props.describedBy ? "application" : "img"}
        aria-describedby={props.describedBy}
        tabIndex={props.describedBy ? 0 : undefined}
      >
        <canvas ref={below} />
        <canvas ref={above} />
      </div>
      {failed && (
        <div class="viewer-failed" role="alert">
          <p>The image could not be loaded.</p>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

// Browsers remember that an address failed; another attempt needs another one.
function again(source: PictureSource, attempt: number): PictureSource {
  return attempt === 0 ? source : { ...source, preview: `${source.preview}#attempt-${attempt}` };
}

type Shown = Pick<StageContent, "bare" | "filter">;

function contentOf(props: ViewerProps): Omit<StageContent, keyof Shown> {
  return {
    markers: props.markers,
    selected: props.selected ?? null,
    layers: props.layers ?? [],
    crosshair: props.crosshair ?? null,
  };
}

function actionsOf(props: ViewerProps, setFailed: (failed: boolean) => void): StageActions {
  const { onPlace, onSelect, onMove, onHover } = props;
  return {
    onPlace,
    onSelect,
    onMove,
    onHover,
    onPictureError: () => setFailed(true),
    onPictureReady: () => setFailed(false),
  };
}

/** Keys that zoom; give them to useKeys beside the page's own. */
export function zoomKeys(
  stage: MutableRef<Stage | null>,
  selectedPlace: () => { x: number; y: number } | null,
): KeyBinding[] {
  const zoomIn = () => {
    const at = selectedPlace();
    if (at !== null) stage.current?.zoomTo(at);
  };
  return [
    { keys: ["z"], help: "zoom to the selected landmark; again: the whole image", run: zoomIn },
    {
      keys: ["x"],
      help: "hide or show points, names and regions",
      run: () => (bare.value = !bare.value),
    },
    { keys: ["+", "="], help: "closer", repeat: true, run: () => stage.current?.zoomBy(1.25) },
    { keys: ["-", "_"], help: "further away", repeat: true, run: () => stage.current?.zoomBy(0.8) },
    { keys: ["0"], help: "the whole image", run: () => stage.current?.fit() },
  ];
}

/** Buttons for fingers and mice: closer, further, whole image. */
export function ZoomButtons({ stage }: { stage: MutableRef<Stage | null> }) {
  return (
    <div class="zoom-buttons" role="group" aria-label="Zoom">
      <Button class="sign" label="Closer (+)" onClick={() => stage.current?.zoomBy(1.5)}>
        +
      </Button>
      <Button class="sign" label="Further away (-)" onClick={() => stage.current?.zoomBy(1 / 1.5)}>
        −
      </Button>
      <Button class="sign" label="Whole image (0)" onClick={() => stage.current?.fit()}>
        ⤢
      </Button>
    </div>
  );
}
