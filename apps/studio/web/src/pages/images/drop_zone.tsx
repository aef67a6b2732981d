// Where images come in: a place to drop them, two file pickers, and what became of each file.
import { useSignal } from "@preact/signals";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { SelectField } from "../../components/field";
import { toast } from "../../components/toast";
import { counted } from "../../counted";
import { type PickedFile, filesOfDrop, filesOfInput } from "./dropped_files";
import {
  type ManyPages,
  type Uploads,
  dismissUploads,
  stopUploads,
  takePages,
  upload,
  uploads,
} from "./upload_state";
import { FileButton, ProgressLine } from "../../components/page_parts";

const accept = "image/*,.tif,.tiff,.dcm,application/dicom";

export function DropZone({ project, large }: { project: number; large: boolean }) {
  const over = useSignal(false);
  const running = uploads.value?.running ?? false;
  const send = (files: PickedFile[]) => {
    if (files.length === 0) toast("There was no file in that.");
    else if (running) toast("Wait until the files before are stored.");
    else void upload(project, files);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    over.value = false;
    if (event.dataTransfer) void filesOfDrop(event.dataTransfer).then(send);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    over.value = true;
  };
  return (
    <section
      class={`drop-zone${over.value ? " over" : ""}${large ? " large" : ""}`}
      aria-label="Add images"
      onDragOver={drag}
      onDragLeave={() => (over.value = false)}
      onDrop={drop}>
      <p>
        <strong>Drop a folder or images here</strong>
        <span class="muted">
          JPEG, PNG, TIFF, WebP, BMP, DICOM. They are copied into the data folder and stay on this machine. Of DICOM files only pixels and scale are kept.
        </span>
      </p>
      <div class="row">
        <FileButton
          text="Choose images …"
          accept={accept}
          multiple
          disabled={running}
          onFiles={(files) => send(filesOfInput(files))}
        />
        <FileButton
          text="Choose a folder …"
          folder
          multiple
          disabled={running}
          onFiles={(files) => send(filesOfInput(files))}
        />
      </div>
    </section>
  );
}

/** How far the uploads are, and which files were refused and why. */
export function UploadReport({ project }: { project: number }) {
  const current = uploads.value;
  if (current === null || current.project !== project) return null;
  return (
    <section class="card upload-report" role="status">
      <div class="row between">
        {current.running ? (
          <ProgressLine done={current.done} total={current.total} what="Storing images" />
        ) : (
          <p>{summaryOf(current)}</p>
        )}
        {current.running ? (
          <Button onClick={stopUploads}>Stop</Button>
        ) : (
          <Button kind="quiet" class="sign" label="Close this report" onClick={dismissUploads}>
            ✕
          </Button>
        )}
      </div>
      {current.refused.length > 0 && <RefusedFiles current={current} />}
      {!current.running && current.asking[0] && (
        <PageQuestion key={current.asking[0].picked.name} file={current.asking[0]} />
      )}
    </section>
  );
}

/** Which page of a file is the image. */
function PageQuestion({ file }: { file: ManyPages }) {
  const page = useSignal("1");
  const all = Array.from({ length: file.pages }, (_, index) => index + 1);
  const take = (pages: number[]) => void takePages(file, pages);
  return (
    <Dialog
      title={`Which page of ${file.picked.name}?`}
      onClose={() => take([])}
      actions={
        <>
          <Button onClick={() => take([])}>Skip the file</Button>
          <Button onClick={() => take(all)}>All {file.pages}, as an image each</Button>
          <Button kind="primary" onClick={() => take([Number(page.value)])}>
            This page
          </Button>
        </>
      }>
      <SelectField
        label={`The file has ${file.pages} pages`}
        value={page.value}
        options={all.map((one) => ({ value: String(one), text: `Page ${one}` }))}
        onValue={(value) => (page.value = value)}
      />
    </Dialog>
  );
}

function summaryOf(current: Uploads): string {
  const stored = `${counted(current.stored, "image")} stored`;
  const refused = current.refused.length;
  return refused === 0 ? `${stored}.` : `${stored}; ${counted(refused, "file")} skipped:`;
}

function RefusedFiles({ current }: { current: Uploads }) {
  return (
    <ul class="refused">
      {current.refused.map((one, index) => (
        <li key={index}>
          <code>{one.name}</code> <span>{one.why}</span>
        </li>
      ))}
    </ul>
  );
}
