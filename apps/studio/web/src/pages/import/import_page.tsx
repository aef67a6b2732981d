// Points that were placed elsewhere.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { SelectField, Switch, TextField } from "../../components/field";
import { counted } from "../../counted";
import { requireName } from "../../preferences";
import { project, reloadProject } from "../../project";
import type { ImportRequest, ImportResult } from "../../types";
import { Card, Failure, FileButton, Sheet, useCall } from "../../components/page_parts";
import { annotationFiles, textFilesOf } from "../../text_files";
import { type TpsY, TpsYField } from "../../components/tps_y_field";

const formats = [
  { value: "", text: "as the files say" },
  { value: "csv", text: "CSV (image, landmark, x, y)" },
  { value: "tps", text: "TPS" },
  { value: "pts", text: "PTS (one file an image)" },
  { value: "coco", text: "COCO keypoints" },
  { value: "dlib", text: "dlib XML" },
  { value: "label-studio", text: "Label Studio JSON" },
  { value: "slicer", text: "3D Slicer .mrk.json" },
];

interface Options {
  format: string;
  tpsY: TpsY;
  slicerScale: string;
  extension: string;
  addLandmarks: boolean;
  overwrite: boolean;
}

const defaults: Options = {
  format: "",
  tpsY: "bottom",
  slicerScale: "",
  extension: "",
  addLandmarks: true,
  overwrite: false,
};

function looksLike(
  files: readonly File[],
  options: Options,
  format: string,
  ending: RegExp,
): boolean {
  if (options.format !== "") return options.format === format;
  return files.some((file) => ending.test(file.name));
}

async function requestOf(
  files: File[],
  options: Options,
  annotator: string,
): Promise<ImportRequest> {
  const extension = options.extension.trim();
  return {
    files: await textFilesOf(files),
    format: options.format || undefined,
    tps_y: looksLike(files, options, "tps", /\.tps$/i) ? options.tpsY : undefined,
    slicer_scale: options.slicerScale === "" ? undefined : Number(options.slicerScale),
    image_extension:
      extension === "" || extension.startsWith(".") ? extension || undefined : `.${extension}`,
    annotator,
    add_landmarks: options.addLandmarks,
    overwrite: options.overwrite,
  };
}

export function ImportPage() {
  const files = useSignal<File[]>([]);
  const options = useSignal<Options>(defaults);
  const result = useSignal<ImportResult | null>(null);
  const call = useCall();
  const open = project.value;
  if (open === null) return null;
  const store = () =>
    call.run(async () => {
      const name = await requireName();
      if (name === null) return;
      result.value = null;
      result.value = await api.importAnnotations(
        open.id,
        await requestOf(files.value, options.value, name),
      );
      await reloadProject();
    });
  const pick = (list: FileList) => {
    files.value = Array.from(list);
    result.value = null;
    call.failure.value = "";
  };
  return (
    <Sheet
      title="Import"
      lead="Points from other programs. Images are found by their names, so add the images first.">
      <Card title="1. Files">
        <div class="row">
          <FileButton text="Choose files …" accept={annotationFiles} multiple onFiles={pick} />
          <span role="status">
            {files.value.length === 0
              ? "CSV, TPS, PTS, COCO, dlib, Label Studio or 3D Slicer"
              : fileNames(files.value)}
          </span>
        </div>
      </Card>
      <Card title="2. How to read them">
        <ImportOptions
          files={files.value}
          options={options.value}
          onOptions={(value) => (options.value = value)}
        />
      </Card>
      <div class="row">
        <Button
          kind="primary"
          disabled={files.value.length === 0 || call.busy.value}
          onClick={() => void store()}>
          {call.busy.value ? "Importing …" : "Import"}
        </Button>
        <span class="muted">
          All files are read before anything is stored; a bad one stops it all.
        </span>
      </div>
      <Failure text={call.failure.value} />
      {result.value && <ImportReport result={result.value} />}
    </Sheet>
  );
}

function fileNames(files: readonly File[]): string {
  const first = files
    .slice(0, 3)
    .map((file) => file.name)
    .join(", ");
  return files.length > 3 ? `${first} and ${files.length - 3} more` : first;
}

interface OptionsProps {
  files: readonly File[];
  options: Options;
  onOptions: (options: Options) => void;
}

function ImportOptions({ files, options, onOptions }: OptionsProps) {
  const set = (part: Partial<Options>) => onOptions({ ...options, ...part });
  const slicer = looksLike(files, options, "slicer", /\.mrk\.json$/i);
  const separate = slicer || looksLike(files, options, "pts", /\.pts$/i);
  return (
    <div class="stack">
      <SelectField
        label="Format"
        value={options.format}
        options={formats}
        onValue={(format) => set({ format })}
      />
      {looksLike(files, options, "tps", /\.tps$/i) && (
        <TpsYField
          value={options.tpsY}
          onValue={(tpsY) => set({ tpsY })}
          hint="If points come out upside down, it is the other one."
        />
      )}
      {slicer && (
        <TextField
          label="Millimeters per pixel of the images in Slicer"
          type="number"
          step="any"
          min={0}
          value={options.slicerScale}
          onText={(slicerScale) => set({ slicerScale })}
          hint="Slicer's files hold millimeters; points need pixels."
        />
      )}
      {separate && (
        <TextField
          label="Extension of the images"
          value={options.extension}
          placeholder=".png"
          onText={(extension) => set({ extension })}
          hint="These files are called as their image, but for the extension."
        />
      )}
      <Switch
        label="Add landmarks that the scheme does not have"
        checked={options.addLandmarks}
        onChecked={(addLandmarks) => set({ addLandmarks })}
      />
      <Switch
        label="Replace points that are there already"
        checked={options.overwrite}
        onChecked={(overwrite) => set({ overwrite })}
        hint="Otherwise they stay, and the imported ones are skipped."
      />
    </div>
  );
}

function ImportReport({ result }: { result: ImportResult }) {
  return (
    <Card title="Imported">
      <div role="status" class="stack">
        <p>
          {counted(result.points, "point")} in {counted(result.images, "image")}
          {result.skipped > 0 && (
            <>; {counted(result.skipped, "point")} skipped, because there was one already</>
          )}
          .
        </p>
        <Names title="New landmarks" names={result.new_landmarks} />
        <Names
          title="Images that are not in this project (their points were left out)"
          names={result.unknown_images}
        />
        <Names title="Warnings" names={result.warnings} />
      </div>
    </Card>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <h3>
        {title} ({names.length})
      </h3>
      <ul class="refused">
        {names.slice(0, 200).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  );
}
