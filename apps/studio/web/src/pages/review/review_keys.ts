// The keys of the review page.
import type { KeyBinding } from "../../keys";
import type { ReviewActions } from "./review_actions";
import { alphaIndex, backToTarget, chooseAlpha, colorBy, showAll } from "./review_state";

function nudgeKeys(actions: ReviewActions): KeyBinding[] {
  const ways: [string, number, number][] = [
    ["ArrowLeft", -1, 0],
    ["ArrowRight", 1, 0],
    ["ArrowUp", 0, -1],
    ["ArrowDown", 0, 1],
  ];
  return ways.map(([key, dx, dy], index) => ({
    keys: [key, `shift+${key}`, `alt+${key}`],
    help: index === 0 ? "move the selected point by 1 px (Shift 10, Alt 0.1)" : "",
    shown: ways.map(([way]) => way),
    repeat: true,
    run: (event) => {
      const step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
      actions.nudge(step * dx, step * dy);
    },
  }));
}

export function reviewKeys(
  actions: ReviewActions,
  toNeighbor: (step: number) => void,
  toNext: () => void,
): KeyBinding[] {
  return [
    {
      keys: ["Enter"],
      help: "accept the selected proposal; when all are decided, next image",
      run: () => actions.accept(),
    },
    {
      keys: ["shift+Enter"],
      help: "accept all proposals of the image, and go on to the next",
      run: () => actions.acceptAll(),
    },
    { keys: ["m", "v"], help: "not visible: not in the image", run: () => actions.toggleMissing() },
    { keys: ["h"], help: "hidden: place known, but covered", run: () => actions.toggleHidden() },
    {
      keys: ["Delete", "Backspace"],
      help: "remove the selected point",
      run: () => actions.remove(),
    },
    {
      keys: ["Tab"],
      help: "next landmark of the list",
      repeat: true,
      run: () => actions.selectNext(1),
    },
    {
      keys: ["shift+Tab"],
      help: "previous landmark of the list",
      repeat: true,
      run: () => actions.selectNext(-1),
    },
    ...nudgeKeys(actions),
    { keys: ["ctrl+z"], help: "undo", repeat: true, run: () => actions.undo() },
    { keys: ["ctrl+shift+z", "ctrl+y"], help: "redo", repeat: true, run: () => actions.redo() },
    { keys: ["PageDown", "]"], help: "next image of the queue", run: () => toNeighbor(1) },
    { keys: ["PageUp", "["], help: "previous image of the queue", run: () => toNeighbor(-1) },
    { keys: ["n"], help: "next image to review", run: toNext },
    {
      keys: [","],
      help: "more certain, larger regions",
      repeat: true,
      run: () => chooseAlpha(alphaIndex.value - 1),
    },
    {
      keys: ["."],
      help: "less certain, smaller regions",
      repeat: true,
      run: () => chooseAlpha(alphaIndex.value + 1),
    },
    { keys: ["t"], help: "back to the project's target", run: backToTarget },
    {
      keys: ["o"],
      help: "all regions or only the selected one",
      run: () => (showAll.value = !showAll.value),
    },
    {
      keys: ["c"],
      help: "color by conformity or by landmark",
      run: () => (colorBy.value = colorBy.value === "conformity" ? "landmark" : "conformity"),
    },
  ];
}
