// One image under the hand: viewer, what is next, landmarks, history.
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button";
import { useKeys } from "../../keys";
import { hrefOf } from "../../router";
import type { Landmark, Project, ReadingNumber, StudioImage } from "../../types";
import { LinesLayer, skeletonLines } from "../../measure/line_layers";
import { measures } from "../../measure/measures";
import { ScaleBanner, ScaleDialog, useScaleTool } from "../../measure/use_scale_tool";
import { PictureControls, useWindow } from "../../viewer/picture_controls";
import { markersOf } from "../../viewer/point_markers";
import type { Stage } from "../../viewer/stage";
import { pictureOf, Viewer, ZoomButtons, type Position } from "../../viewer/viewer";
import { imageKeys, pointKeys, type KeyContext } from "./annotate_keys";
import { hasPlace } from "./landmark_choice";
import { SidePanel, type Panel } from "./side_panel";
import { Toolbar } from "./annotate_toolbar";
import { useCrosshair } from "./use_crosshair";
import { useEditor, type Editor } from "./use_editor";

export interface WorkspaceProps {
  project: Project;
  image: StudioImage;
  /** Its place in the list that is worked through, from 0, and the length of that. */
  place: number;
  total: number;
  reading: ReadingNumber;
  /** An image of the sample that comes before this one and is not done. */
  skipped?: StudioImage | undefined;
  landmarks: Landmark[];
  /** Where to go when nothing of the list is left to do; null: something is. */
  allDone: AllDone | null;
  onReading: (reading: ReadingNumber) => void;
  onImage: (step: 1 | -1) => void;
  onNextOpen: () => void;
}

/** What is said, and where to go on, when a list is done. */
export interface AllDone {
  words: string;
  link: string;
  href: string;
  /** What can only be done before that. */
  before?: { link: string; href: string };
}

const pointer = signal<Position | null>(null);

export function Workspace(props: WorkspaceProps) {
  const { project, image, reading, landmarks, onImage, onNextOpen } = props;
  const editor = useEditor(project.id, image, reading, landmarks);
  const stage = useRef<Stage | null>(null);
  const crosshair = useCrosshair(stage, image);
  const [window, setWindow] = useWindow(image.id);
  const source = useMemo(
    () => pictureOf(project.id, image, window ?? undefined),
    [project.id, image.id, window?.low, window?.high],
  );
  const [panel, setPanel] = useState<Panel>("landmarks");
  const scaleTool = useScaleTool();
  const points = editor.reading?.points ?? [];
  const placeOf = (landmark: number | null) => {
    const point = landmark === null ? undefined : editor.points.get(landmark);
    return point && point.x !== null && point.y !== null ? { x: point.x, y: point.y } : null;
  };
  const choose = (landmark: number) => {
    editor.select(landmark);
    const point = editor.points.get(landmark);
    if (point && hasPlace(point)) stage.current?.reveal({ x: point.x ?? 0, y: point.y ?? 0 });
    stage.current?.focus();
  };
  const context: KeyContext = {
    editor,
    crosshair,
    landmarks,
    stage,
    onChoose: choose,
    onImage,
    onNextOpen,
    placeOf,
  };
  useKeys("Points", pointKeys(context));
  useKeys("Images", imageKeys(context));
  useEffect(() => stage.current?.focus(), []);
  const place = (at: Position) => {
    if (scaleTool.ends !== null) return scaleTool.click(at);
    crosshair.hide();
    stage.current?.focus();
    void editor.place(at, true);
  };
  const target = landmarks.find((landmark) => landmark.id === editor.choice.target);
  return (
    <>
      <section class="workspace" aria-label={image.name}>
        <Toolbar {...props} editor={editor} />
        {scaleTool.ends === null ? (
          <Banner
            editor={editor}
            target={target}
            landmarks={landmarks}
            project={project}
            allDone={props.allDone}
            onNextOpen={onNextOpen}
          />
        ) : (
          <ScaleBanner tool={scaleTool} />
        )}
        <div class="workspace-view">
          <Viewer
            source={source}
            stage={stage}
            label={`Image ${image.name}`}
            describedBy="viewer-help"
            markers={scaleTool.ends === null ? markersOf(points, landmarks) : []}
            layers={[
              new LinesLayer(skeletonLines(measures.value.skeleton, placeOf)),
              ...scaleTool.layers,
            ]}
            keepsFor={project.id}
            selected={editor.choice.selected}
            crosshair={shownCrosshair(editor, crosshair.at, target)}
            onPlace={place}
            onSelect={(id) => {
              editor.select(id);
              stage.current?.focus();
            }}
            onMove={(id, at) => void editor.move(id, at)}
            onHover={(at) => (pointer.value = at)}
          />
          <p id="viewer-help" class="visually-hidden">
            Arrow keys move a cross-hair, Enter places the next landmark there, Tab goes through the
            landmarks, question mark shows all keys.
          </p>
          <PointerPlace />
          <ZoomButtons stage={stage} />
          <PictureControls
            project={project.id}
            image={image.id}
            window={window}
            onWindow={setWindow}
          />
        </div>
      </section>
      <SidePanel
        panel={panel}
        onPanel={setPanel}
        {...props}
        editor={editor}
        onChoose={choose}
        onScale={scaleTool.begin}
      />
      <ScaleDialog tool={scaleTool} project={project} image={image} />
    </>
  );
}

// Arrows move either the selected point or the cross-hair; only that one is shown.
function shownCrosshair(editor: Editor, at: Position | null, target: Landmark | undefined) {
  if (!at || editor.choice.selected !== null) return null;
  return { ...at, color: target?.color ?? "#56b4e9" };
}

interface BannerProps {
  editor: Editor;
  target: Landmark | undefined;
  landmarks: Landmark[];
  project: Project;
  allDone: AllDone | null;
  onNextOpen: () => void;
}

/** What the next click does. Above the image, not over it: landmarks lie at its edges, too. */
function Banner({ editor, target, landmarks, project, allDone, onNextOpen }: BannerProps) {
  if (editor.error)
    return (
      <div class="banner bad" role="alert">
        {editor.error}
      </div>
    );
  if (!editor.reading) return <div class="banner">Loading points…</div>;
  if (landmarks.length === 0) {
    return (
      <div class="banner">
        There are no landmarks yet. <a href={hrefOf("scheme", project.id)}>Name them first</a>
      </div>
    );
  }
  if (!target && allDone !== null) {
    return (
      <div class="banner done">
        ✓ All {landmarks.length} landmarks done. {allDone.words}
        {allDone.before && (
          <a class="button quiet" href={allDone.before.href}>
            {allDone.before.link}
          </a>
        )}
        <a class="button primary" href={allDone.href}>
          {allDone.link}
        </a>
      </div>
    );
  }
  if (!target) {
    return (
      <div class="banner done">
        ✓ All {landmarks.length} landmarks done
        <Button kind="primary" onClick={onNextOpen}>
          Next image (N)
        </Button>
      </div>
    );
  }
  const number = landmarks.indexOf(target) + 1;
  return (
    <div class="banner" data-testid="target">
      Click to place{" "}
      <strong translate={false}>
        {number}. {target.name}
      </strong>
      <Button
        kind="quiet"
        onClick={() => void editor.toggleMissing(target.id)}
        title="Not visible: not in the image (M)"
      >
        Not visible
      </Button>
    </div>
  );
}

/** Where the pointer is, in pixels of the original. */
function PointerPlace() {
  const at = pointer.value;
  if (!at) return null;
  return (
    <div class="pointer-place" aria-hidden="true">
      {at.x.toFixed(1)}, {at.y.toFixed(1)}
    </div>
  );
}
