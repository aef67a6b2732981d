import { Button } from "../../components/button";
import type { ReadingNumber } from "../../types";
import type { Editor } from "./use_editor";
import type { WorkspaceProps } from "./annotate_workspace";

interface ToolbarProps extends WorkspaceProps {
  editor: Editor;
}

/** Where one is, and where one can go from here. */
export function Toolbar(props: ToolbarProps) {
  const { editor, image, place, total, landmarks, onImage, onNextOpen } = props;
  const placed = landmarks.filter((landmark) => editor.points.has(landmark.id)).length;
  return (
    <div class="toolbar" role="toolbar" aria-label="Image">
      <Button
        class="sign"
        label="Previous image ([)"
        disabled={place <= 0}
        onClick={() => onImage(-1)}
      >
        ‹
      </Button>
      <Button
        class="sign"
        label="Next image (])"
        disabled={place >= total - 1}
        onClick={() => onImage(1)}
      >
        ›
      </Button>
      <div class="toolbar-about">
        <h1 class="toolbar-name" title={image.name}>
          {image.name}
        </h1>
        <span class="toolbar-progress" data-testid="progress">
          {placed} of {landmarks.length} placed
          {place >= 0 && `, image ${place + 1} of ${total}`}
        </span>
      </div>
      <Button title="Next image that is not done (N)" onClick={onNextOpen}>
        Next to do
      </Button>
      <Button
        class="sign"
        label="Undo (Ctrl+Z)"
        disabled={!editor.canUndo}
        onClick={() => editor.undo()}
      >
        ↶
      </Button>
      <Button
        class="sign redo"
        label="Redo (Ctrl+Shift+Z)"
        disabled={!editor.canRedo}
        onClick={() => editor.redo()}
      >
        ↷
      </Button>
      <ReadingSwitch {...props} />
    </div>
  );
}

const titles: Record<ReadingNumber, string> = {
  1: "1st reading: the one that counts",
  2: "2nd reading: independent, to compare; it does not show the first",
};

function ReadingSwitch({ reading, onReading }: ToolbarProps) {
  return (
    <div class="segments" role="group" aria-label="Reading">
      {([1, 2] as const).map((number) => (
        <Button
          key={number}
          aria-pressed={reading === number}
          label={titles[number]}
          onClick={() => onReading(number)}
        >
          {number === 1 ? "1st" : "2nd"}
        </Button>
      ))}
    </div>
  );
}
