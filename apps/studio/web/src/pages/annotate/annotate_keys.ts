// The keyboard of the annotate page.
import type { MutableRef } from "preact/hooks";
import type { KeyBinding } from "../../keys";
import type { Landmark } from "../../types";
import type { Stage } from "../../viewer/stage";
import { type Position, zoomKeys } from "../../viewer/viewer";
import { neighbor } from "./landmark_choice";
import type { useCrosshair } from "./use_crosshair";
import type { Editor } from "./use_editor";

export interface KeyContext {
  editor: Editor;
  crosshair: ReturnType<typeof useCrosshair>;
  landmarks: Landmark[];
  stage: MutableRef<Stage | null>;
  onChoose: (landmark: number) => void;
  onImage: (step: 1 | -1) => void;
  onNextOpen: () => void;
  /** Where a landmark is; null: it has no place. */
  placeOf: (landmark: number | null) => Position | null;
}

export function pointKeys(context: KeyContext): KeyBinding[] {
  const { editor, crosshair } = context;
  return [
    {
      keys: ["Enter"],
      help: "place the next landmark at the cross-hair",
      run: () => enter(context),
    },
    ...arrowKeys(context),
    {
      keys: ["Delete", "Backspace"],
      help: "remove the selected point",
      run: () => void editor.remove(),
    },
    {
      keys: ["m", "v"],
      help: "not visible: not in the image",
      run: () => void editor.toggleMissing(),
    },
    {
      keys: ["h"],
      help: "hidden: place known, but covered",
      run: () => void editor.toggleHidden(),
    },
    { keys: ["Tab"], help: "next landmark of the list", repeat: true, run: () => walk(context, 1) },
    {
      keys: ["shift+Tab"],
      help: "previous landmark of the list",
      repeat: true,
      run: () => walk(context, -1),
    },
    {
      keys: ["Escape"],
      help: "select nothing, hide the cross-hair",
      run: () => {
        editor.deselect();
        crosshair.hide();
      },
    },
    { keys: ["ctrl+z"], help: "undo", repeat: true, run: () => editor.undo() },
    { keys: ["ctrl+shift+z", "ctrl+y"], help: "redo", repeat: true, run: () => editor.redo() },
  ];
}

export function imageKeys(context: KeyContext): KeyBinding[] {
  return [
    { keys: ["[", "PageUp"], help: "previous image", run: () => context.onImage(-1) },
    { keys: ["]", "PageDown"], help: "next image", run: () => context.onImage(1) },
    { keys: ["n"], help: "next image that is not done", run: () => context.onNextOpen() },
    ...zoomKeys(context.stage, () => context.placeOf(context.editor.choice.selected)),
  ];
}

// With a point selected, Enter is done with it; then it places.
function enter({ editor, crosshair }: KeyContext): void {
  if (editor.choice.selected !== null) editor.deselect();
  else if (crosshair.at && editor.choice.target !== null)
    return void editor.place(crosshair.at, false);
  crosshair.show();
}

// At the ends of the list Tab goes on to the next control, so that it can leave the image.
function walk({ editor, landmarks, onChoose }: KeyContext, step: 1 | -1): unknown {
  const next = neighbor(landmarks, editor.choice, step);
  if (next === null) return false;
  return onChoose(next);
}

function arrowKeys(context: KeyContext): KeyBinding[] {
  const arrow = (name: string, dx: number, dy: number, help = ""): KeyBinding => ({
    keys: [`Arrow${name}`, `shift+Arrow${name}`, `alt+Arrow${name}`],
    help,
    shown: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    repeat: true,
    run: (event) => pushed(context, event, dx, dy),
  });
  const help = "move the selected point by 1 px (Shift 10, Alt 0.1), else the cross-hair";
  return [
    arrow("Left", -1, 0, help),
    arrow("Right", 1, 0),
    arrow("Up", 0, -1),
    arrow("Down", 0, 1),
  ];
}

function pushed(
  { editor, crosshair }: KeyContext,
  event: KeyboardEvent,
  dx: number,
  dy: number,
): void {
  const step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
  const reach = event.shiftKey ? "far" : event.altKey ? "fine" : "plain";
  if (editor.choice.selected !== null) void editor.nudge(step * dx, step * dy);
  else crosshair.move(dx, dy, reach);
}
