// The buttons above an image under review; all of them have keys, too.
import { Button } from "../../components/button";
import type { StudioImage } from "../../types";
import type { ReviewActions } from "./review_actions";

interface ToolbarProps {
  image: StudioImage;
  actions: ReviewActions;
  onNeighbor: (step: number) => void;
  onNext: () => void;
  /** Called after a button has done its work: keys then belong to the image again. */
  onDone: () => void;
}

export function ReviewToolbar({ image, actions, onNeighbor, onNext, onDone }: ToolbarProps) {
  const letGo = (run: () => void) => () => {
    run();
    onDone();
  };
  return (
    <div class="review-toolbar" role="toolbar" aria-label="Review">
      <Button class="sign" label="Previous image ([)" onClick={letGo(() => onNeighbor(-1))}>
        ‹
      </Button>
      <Button class="sign" label="Next image (])" onClick={letGo(() => onNeighbor(1))}>
        ›
      </Button>
      <h1 class="review-name" title={image.name}>
        <span class="review-name-text">{image.name}</span>
        {actions.complete && <span class="badge good">✓ reviewed</span>}
      </h1>
      <Button
        class="sign"
        label="Undo (Ctrl+Z)"
        disabled={!actions.canUndo}
        onClick={letGo(() => actions.undo())}>
        ↶
      </Button>
      <Button
        class="sign redo"
        label="Redo (Ctrl+Shift+Z)"
        disabled={!actions.canRedo}
        onClick={letGo(() => actions.redo())}>
        ↷
      </Button>
      <Button
        title="Not visible: not in the image (M)"
        onClick={letGo(() => actions.toggleMissing())}>
        Not visible
      </Button>
      {actions.complete ? (
        <Button
          kind="primary"
          title="Next image to review (Enter)"
          onClick={letGo(onNext)}>
          Next image
        </Button>
      ) : (
        <>
          <Button
            title="Accept the selected proposal (Enter)"
            onClick={letGo(() => actions.accept())}>
            Accept
          </Button>
          <Button
            kind="primary"
            title="Accept all proposals (Shift+Enter)"
            onClick={letGo(() => actions.acceptAll())}>
            Accept all
          </Button>
        </>
      )}
    </div>
  );
}
