// The landmark scheme: which points are placed, and in which order.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { counted } from "../../counted";
import { landmarks, project, reloadProject, schemeRevision } from "../../project";
import type { Landmark } from "../../types";
import { Failure, Sheet, useCall } from "../../components/page_parts";
import { noteUnsaved, useUnsaved } from "../../sync/unsaved";
import { AddLandmarks } from "./add_landmarks";
import { type Draft, problemOf, sameDraft, withGuessedPairs } from "./scheme_draft";
import { SchemeRows } from "./scheme_rows";

function draftOf(stored: readonly Landmark[]): Draft {
  return stored.map((one) => ({ ...one, key: `stored-${one.id}` }));
}

interface Edited {
  draft: Draft;
  base: { revision: number; draft: Draft };
}

// What was not saved when the page was left, by project: going elsewhere for a look loses nothing.
const left = new Map<number, Edited>();
const forgets = new Map<number, () => void>();

function leave(id: number, edited: Edited): void {
  left.set(id, edited);
  forgets.set(id, noteUnsaved("landmarks"));
}

function comeBack(id: number): void {
  left.delete(id);
  forgets.get(id)?.();
  forgets.delete(id);
}

function beginning(id: number): Edited {
  const draft = draftOf(landmarks.value);
  return left.get(id) ?? { draft, base: { revision: schemeRevision.value, draft } };
}

export function SchemePage() {
  const id = project.value?.id ?? 0;
  const draft = useSignal<Draft>(beginning(id).draft);
  const base = useSignal(beginning(id).base);
  useEffect(() => {
    comeBack(id);
    return () => {
      const edited = { draft: draft.peek(), base: base.peek() };
      if (!sameDraft(edited.draft, edited.base.draft)) leave(id, edited);
    };
  }, [id]);
  const losing = useSignal<number | null>(null);
  // What was agreed to when the server asked whether the guarantee may go.
  const costing = useSignal<{ dropPoints: boolean } | null>(null);
  const call = useCall();
  const open = project.value;
  const changed = !sameDraft(draft.value, base.value.draft);
  const conflict = schemeRevision.value !== base.value.revision;
  useUnsaved("landmarks", changed);

  const adopt = () => {
    draft.value = draftOf(landmarks.value);
    base.value = { revision: schemeRevision.value, draft: draft.value };
  };
  // Another annotator's change is shown at once unless own changes would be lost.
  useEffect(() => {
    if (conflict && !changed) adopt();
  }, [conflict, changed]);

  if (open === null) return null;
  const save = (dropPoints: boolean, confirm = false) =>
    call.run(async () => {
      try {
        const edited = draft.value.map(({ key: _, ...rest }) => ({
          ...rest,
          name: rest.name.trim(),
        }));
        const stored = await api.saveScheme(open.id, base.value.revision, edited, dropPoints, confirm);
        draft.value = draftOf(stored.landmarks);
        base.value = { revision: stored.revision, draft: draft.value };
        losing.value = null;
        costing.value = null;
        await reloadProject();
        toast("Landmarks saved.", "success");
      } catch (error) {
        const body = error instanceof api.ApiError ? error.body : {};
        const points = body["points"];
        if (body["confirm"] === true) {
          losing.value = null;
          costing.value = { dropPoints };
          return;
        }
        if (typeof points !== "number") {
          await reloadProject();
          throw error;
        }
        losing.value = points;
      }
    });
  const problem = draft.value.length === 0 ? null : problemOf(draft.value);
  return (
    <Sheet
      title="Landmarks"
      lead="The points that are placed in every image, in this order. Left and right partners help when images are mirrored.">
      {conflict && changed && <ConflictNote onTheirs={adopt} />}
      <AddLandmarks project={open.id} draft={draft} />
      <SchemeRows draft={draft} />
      <Failure text={problem ?? call.failure.value} />
      <div class="save-bar">
        <Button
          kind="primary"
          disabled={!changed || problem !== null || conflict || call.busy.value}
          onClick={() => void save(false)}>
          Save {counted(draft.value.length, "landmark")}
        </Button>
        <Button disabled={!changed} onClick={adopt}>
          Discard changes
        </Button>
        <Button
          kind="quiet"
          disabled={draft.value.length < 2}
          onClick={() => (draft.value = withGuessedPairs(draft.value))}>
          Pair left and right by name
        </Button>
        <span class="muted" role="status">
          {changed ? "Not saved yet" : "Saved"}
        </span>
      </div>
      {losing.value !== null && (
        <LosingDialog
          points={losing.value}
          onKeep={() => (losing.value = null)}
          onDrop={() => void save(true)}
        />
      )}
      {costing.value !== null && (
        <CostDialog
          onKeep={() => (costing.value = null)}
          onSave={() => void save(costing.value?.dropPoints ?? false, true)}
        />
      )}
    </Sheet>
  );
}

function ConflictNote({ onTheirs }: { onTheirs: () => void }) {
  return (
    <div class="note warn" role="alert">
      <p>Another annotator saved other landmarks meanwhile. Yours cannot be saved over them.</p>
      <p>
        <Button onClick={onTheirs}>Show theirs and drop my changes</Button>
      </p>
    </div>
  );
}

/** What other landmarks cost where the target is all of them at once. */
function CostDialog(props: { onKeep: () => void; onSave: () => void }) {
  const actions = (
    <>
      <Button onClick={props.onKeep}>Keep the landmarks</Button>
      <Button kind="danger" onClick={props.onSave}>
        Save without a guarantee
      </Button>
    </>
  );
  return (
    <Dialog title="The guarantee would be lost" onClose={props.onKeep} actions={actions}>
      <p>
        The target of this project is all landmarks of an image at once, and regions have been seen.
        If landmarks come or go now, results may have chosen them, and there is no guarantee any
        more, for good.
      </p>
    </Dialog>
  );
}

function LosingDialog(props: { points: number; onKeep: () => void; onDrop: () => void }) {
  const actions = (
    <>
      <Button onClick={props.onKeep}>Keep the points</Button>
      <Button kind="danger" onClick={props.onDrop}>
        Delete {counted(props.points, "point")}
      </Button>
    </>
  );
  return (
    <Dialog title="Points would be lost" onClose={props.onKeep} actions={actions}>
      <p>
        The landmarks that you removed have {counted(props.points, "point")} in this project. Saved
        like this, these points are deleted; the history of the images still names them.
      </p>
      <p>To rename a landmark, change its name in the list: its points stay.</p>
    </Dialog>
  );
}
