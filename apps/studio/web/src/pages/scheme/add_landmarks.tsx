// New landmarks: by name, from a pasted list, or from a file of annotations.
import { type Signal, useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field, TextField } from "../../components/field";
import { toast } from "../../components/toast";
import { counted } from "../../counted";
import { Failure, FileButton, useCall } from "../../components/page_parts";
import { type Draft, namesOfList, withAdded, withGuessedPairs } from "./scheme_draft";
import { annotationFiles, textFilesOf } from "../../text_files";

interface AddLandmarksProps {
  project: number;
  draft: Signal<Draft>;
}

export function AddLandmarks({ project, draft }: AddLandmarksProps) {
  const name = useSignal("");
  const pasting = useSignal(false);
  const call = useCall();
  const add = (landmarks: { name: string; color?: string }[]) => {
    const before = draft.value.length;
    draft.value = withGuessedPairs(withAdded(draft.value, landmarks));
    return draft.value.length - before;
  };
  const addOne = (event: Event) => {
    event.preventDefault();
    const wanted = name.value.trim();
    if (wanted === "") return;
    if (add([{ name: wanted }]) === 0) toast(`"${wanted}" is there already.`);
    name.value = "";
  };
  const addFromFiles = (files: FileList) =>
    call.run(async () => {
      const found = await api.proposeScheme(project, await textFilesOf(files));
      const number = add(found);
      toast(
        `${counted(number, "landmark")} of ${found.length} in the file are new. Save to keep them.`,
      );
    });
  return (
    <section class="card add-landmarks">
      <form class="row" onSubmit={addOne}>
        <TextField
          label="New landmark"
          value={name.value}
          maxLength={200}
          placeholder="for example: left eye"
          onText={(text) => (name.value = text)}
        />
        <Button kind="primary" type="submit" disabled={name.value.trim() === ""}>
          Add
        </Button>
        <Button onClick={() => (pasting.value = true)}>Paste a list …</Button>
        <FileButton
          text="From a landmark file …"
          accept={annotationFiles}
          multiple
          disabled={call.busy.value}
          onFiles={(files) => void addFromFiles(files)}
        />
      </form>
      <Failure text={call.failure.value} />
      {pasting.value && (
        <PasteDialog
          onClose={() => (pasting.value = false)}
          onNames={(names) => {
            add(names.map((each) => ({ name: each })));
            pasting.value = false;
          }}
        />
      )}
    </section>
  );
}

function PasteDialog({
  onClose,
  onNames,
}: {
  onClose: () => void;
  onNames: (names: string[]) => void;
}) {
  const text = useSignal("");
  const names = namesOfList(text.value);
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" disabled={names.length === 0} onClick={() => onNames(names)}>
        Add {counted(names.length, "name")}
      </Button>
    </>
  );
  return (
    <Dialog title="Paste a list of landmarks" onClose={onClose} actions={actions}>
      <Field
        label="One name a line"
        hint="Numbering in front is left out; names that are there already, too.">
        {(control) => (
          <textarea
            {...control}
            rows={10}
            autofocus
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
