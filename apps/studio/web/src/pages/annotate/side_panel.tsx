import { Button } from "../../components/button";
import { hrefOf } from "../../router";
import { HistoryPanel } from "./history_panel";
import { LandmarkList } from "./landmark_list";
import type { Editor } from "./use_editor";
import type { WorkspaceProps } from "./annotate_workspace";

type Panel = "landmarks" | "history";

interface SidePanelProps extends WorkspaceProps {
  panel: Panel;
  onPanel: (panel: Panel) => void;
  editor: Editor;
  onChoose: (landmark: number) => void;
}

/** The landmarks with their state, or who placed what. */
export function SidePanel(props: SidePanelProps) {
  const { panel, onPanel, editor, project, image, reading, landmarks, onChoose } = props;
  return (
    <aside class="side-panel" aria-label="Landmarks and history">
      <div class="segments" role="group" aria-label="What to show">
        <Button aria-pressed={panel === "landmarks"} onClick={() => onPanel("landmarks")}>
          Landmarks
        </Button>
        <Button aria-pressed={panel === "history"} onClick={() => onPanel("history")}>
          History
        </Button>
      </div>
      {panel === "landmarks" ? (
        <LandmarkList landmarks={landmarks} editor={editor} onChoose={onChoose} />
      ) : (
        <HistoryPanel
          project={project.id}
          image={image.id}
          reading={reading}
          revision={editor.reading?.revision ?? 0}
        />
      )}
      <PointActions editor={editor} />
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
      <Button title="Take the point back (Delete)" onClick={() => void editor.remove()}>
        Take back
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
        only images that chance chose give a guarantee by design.
      </p>
    );
  }
  if (image.audit === "open") {
    return (
      <p class="why">
        Part of the audit: labeled without hints, so that the count of hits is fair. These labels
        never calibrate. <a href={hrefOf("audit", project.id)}>Back to the audit</a>
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
      Labeled blind: no proposal is shown, so that your points owe nothing to the machine. The
      guarantee stands on that.
    </p>
  );
}
