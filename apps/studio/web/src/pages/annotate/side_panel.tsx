import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { MeasurePanel } from "../../measure/measure_panel";
import { hrefOf } from "../../router";
import { HistoryPanel } from "./history_panel";
import { LandmarkList } from "./landmark_list";
import type { Editor } from "./use_editor";
import type { WorkspaceProps } from "./annotate_workspace";

export type Panel = "landmarks" | "measures" | "history";

interface SidePanelProps extends WorkspaceProps {
  panel: Panel;
  onPanel: (panel: Panel) => void;
  editor: Editor;
  onChoose: (landmark: number) => void;
  onScale: () => void;
}

const panels: { panel: Panel; text: string }[] = [
  { panel: "landmarks", text: "Landmarks" },
  { panel: "measures", text: "Measures" },
  { panel: "history", text: "History" },
];

/** The landmarks with their state, or who placed what. */
export function SidePanel(props: SidePanelProps) {
  const { panel, onPanel, editor, project, image, reading, landmarks, onChoose } = props;
  return (
    <aside class="side-panel" aria-label="Landmarks and history">
      <div class="segments" role="group" aria-label="What to show">
        {panels.map((one) => (
          <Button
            key={one.panel}
            aria-pressed={panel === one.panel}
            onClick={() => onPanel(one.panel)}
          >
            {one.text}
          </Button>
        ))}
      </div>
      {panel === "landmarks" && (
        <LandmarkList landmarks={landmarks} editor={editor} onChoose={onChoose} />
      )}
      {panel === "measures" && (
        <MeasurePanel
          project={project}
          image={image}
          points={editor.reading?.points ?? []}
          onScale={props.onScale}
        />
      )}
      {panel === "history" && (
        <HistoryPanel
          project={project.id}
          image={image.id}
          reading={reading}
          revision={editor.reading?.revision ?? 0}
        />
      )}
      <PointActions editor={editor} />
      {panel === "landmarks" && <CannotBeLabeled {...props} />}
      <Why {...props} />
    </aside>
  );
}

/** For fingers: what keys do to the selected point. */
function PointActions({ editor }: { editor: Editor }) {
  const { selected } = editor.choice;
  if (selected === null) return null;
  const hidden = editor.points.get(selected)?.state === "hidden";
  return (
    <div class="point-actions" role="group" aria-label="The selected point">
      <Button title="Remove the point (Delete)" onClick={() => void editor.remove()}>
        Remove point
      </Button>
      <Button title="Not in the image (M)" onClick={() => void editor.toggleMissing(selected)}>
        Not visible
      </Button>
      <Button
        title="Its place is known, but it is covered (H)"
        aria-pressed={hidden}
        onClick={() => void editor.toggleHidden()}
      >
        Hidden
      </Button>
    </div>
  );
}

/** An image that shows nothing of what is to be labeled stays in the sample: leaving it out would be
 * a choice. */
function CannotBeLabeled({ editor, image, landmarks, reading }: SidePanelProps) {
  const [asking, setAsking] = useState(false);
  if (!editor.reading || landmarks.length === 0 || editor.points.size === landmarks.length) {
    return null;
  }
  const mark = () => {
    setAsking(false);
    void editor.markAllMissing();
  };
  return (
    <div class="cannot-label">
      <Button kind="quiet" onClick={() => setAsking(true)}>
        This image cannot be labeled …
      </Button>
      {asking && (
        <Dialog
          title={`Mark ${image.name} as not labelable?`}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Keep labeling</Button>
              <Button kind="primary" onClick={mark}>
                Mark all landmarks as not visible
              </Button>
            </>
          }
        >
          <p>
            All {landmarks.length} landmarks are marked as not visible, as in a blurred, cut off or
            wrong picture. Points that are placed in it are replaced; undo brings them back.
          </p>
          {image.in_sample && reading === 1 && (
            <p>
              The image stays in the sample, so the guarantee stays. Deleting it would cost the
              guarantee, as a sample from which images are chosen is no longer random.
            </p>
          )}
        </Dialog>
      )}
    </div>
  );
}

/** Why no proposal is shown here: the guarantee stands on it. */
function Why({ project, image, reading, skipped }: WorkspaceProps) {
  if (reading === 2) {
    return (
      <p class="why">
        Second reading: independent. It does not show the first, and is compared with it on the page
        Compare.
      </p>
    );
  }
  if (project.sampling.kind === "none") {
    return (
      <p class="why warn">
        No random sample is drawn yet. <a href={hrefOf("images", project.id)}>Draw it first</a>:
        only randomly drawn images give a guarantee by design.
      </p>
    );
  }
  if (image.audit === "open") {
    return (
      <p class="why">
        Part of the audit: labeled without hints, so that the count is fair. These labels never
        calibrate. <a href={hrefOf("audit", project.id)}>Back to the audit</a>
      </p>
    );
  }
  if (image.audit === "finished") {
    return (
      <p class="why">
        Part of a finished audit: its labels are frozen.{" "}
        <a href={hrefOf("review", project.id, image.id)}>See its regions</a>
      </p>
    );
  }
  if (!image.in_sample) {
    return (
      <p class="why">
        Outside the sample: kept and exported, but it does not calibrate.{" "}
        <a href={hrefOf("review", project.id, image.id)}>Review it with its regions</a>
      </p>
    );
  }
  if (skipped && project.sampling.kind === "random") {
    return (
      <p class="why warn">
        <a href={hrefOf("annotate", project.id, skipped.id)}>{skipped.name}</a> comes first and is
        not done. The guarantee holds by design if the sample is labeled in its order.
      </p>
    );
  }
  return (
    <p class="why">
      Labeled blind: no proposals are shown, so that they cannot influence your points. The
      guarantee depends on that.
    </p>
  );
}
