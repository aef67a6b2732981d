// Subjects of many images at once, from a table that is pasted.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { counted } from "../../counted";
import { images, reloadProject } from "../../project";
import type { StudioImage } from "../../types";
import { parseSubjects } from "./subjects";
import { forEachLimited } from "./upload_limits";
import { Failure, FileButton, useCall } from "../../components/page_parts";

/** The images whose subject differs from what the table says. */
function changesOf(subjects: Map<string, string | null>): [StudioImage, string | null][] {
  return images.value
    .filter((image) => subjects.has(image.name))
    .map((image): [StudioImage, string | null] => [image, subjects.get(image.name) ?? null])
    .filter(([image, subject]) => image.subject !== subject);
}

export function SubjectsDialog({ project, onClose }: { project: number; onClose: () => void }) {
  const text = useSignal("");
  const call = useCall();
  const table = parseSubjects(text.value, new Set(images.value.map((image) => image.name)));
  const changes = changesOf(table.subjects);
  const store = () =>
    call.run(async () => {
      const failures: string[] = [];
      await forEachLimited(changes, 4, async ([image, subject]) => {
        await api.updateImage(project, image.id, { subject }).catch((error: Error) => {
          failures.push(`${image.name}: ${error.message}`);
        });
      });
      await reloadProject();
      if (failures.length > 0) throw new Error(failures.join("; "));
      onClose();
    });
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" disabled={changes.length === 0 || call.busy.value} onClick={store}>
        {changes.length === 0 ? "Nothing to change" : `Change ${counted(changes.length, "image")}`}
      </Button>
    </>
  );
  return (
    <Dialog title="Subjects from a table" wide onClose={onClose} actions={actions}>
      <div class="stack">
        <p>
          Images of one person are alike. Say who is in which image, and the guarantee is for a new
          person: no subject supports its own images.
        </p>
        <Field
          label="Lines of image, subject"
          hint="A header is fine; commas, semicolons or tabs separate.">
          {(control) => (
            <textarea
              {...control}
              rows={8}
              value={text.value}
              placeholder={"a.jpg,Ann\nb.jpg,Ann\nc.jpg,Bo"}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <FileButton
          text="From a CSV file …"
          accept=".csv,.tsv,.txt"
          onFiles={(files) => void files[0]?.text().then((found) => (text.value = found))}
        />
        {table.problems.length > 0 && (
          <ul class="refused">
            {table.problems.slice(0, 50).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        <Failure text={call.failure.value} />
      </div>
    </Dialog>
  );
}
