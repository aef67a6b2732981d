// Everything a project can hand out, each with one sentence of what it is for.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import * as api from "../api";
import { SelectField, Switch } from "../components/field";
import { counted } from "../counted";
import { images, project } from "../project";
import { confidencePercent, parseAlpha } from "../regions/alpha";
import { status } from "../regions/status";
import type { Project } from "../types";
import { Card, Sheet } from "./parts";
import { targetOptions } from "./targets";
import { type TpsY, TpsYField } from "./tps_y_field";

type Which = "labeled" | "sample" | "reviewed";

const formats: { format: api.ExportFormat; name: string; about: string }[] = [
  { format: "csv", name: "CSV", about: "One line a point; opens in any spreadsheet, R or Python." },
  { format: "tps", name: "TPS", about: "For tpsDig, tpsRelw, geomorph and MorphoJ; one file." },
  {
    format: "pts",
    name: "PTS",
    about: "One small text file an image, as 300-W and menpo read it; zipped.",
  },
  { format: "coco", name: "COCO", about: "Keypoints as JSON, for detectron2, mmpose and others." },
  { format: "dlib", name: "dlib XML", about: "For dlib's shape predictor and its imglab." },
  { format: "label-studio", name: "Label Studio", about: "Tasks as JSON, to be imported there." },
  { format: "slicer", name: "3D Slicer", about: "One .mrk.json of markups an image; zipped." },
];

/** A link that downloads, with its sentence. */
function Download(props: {
  href: string;
  name: string;
  children: ComponentChildren;
  disabled?: boolean;
}) {
  return (
    <li class="download">
      {props.disabled ? (
        <span class="button disabled" aria-disabled="true">
          {props.name}
        </span>
      ) : (
        <a class="button" href={props.href} download>
          <span aria-hidden="true">↓</span> {props.name}
        </a>
      )}
      <p>{props.children}</p>
    </li>
  );
}

export function ExportPage() {
  const open = project.value;
  if (open === null) return null;
  return (
    <Sheet title="Export" lead="Files are made as you click, from what is stored at that moment.">
      <Points project={open} />
      <Sets project={open} />
      <Model project={open} />
      <Card title="The whole project">
        <ul class="downloads">
          <Download href={api.backupUrl(open.id)} name="Backup (.zip)">
            Images, landmarks, all points with who placed them and when, and the drawn sample, in
            one file. Restore it on the list of projects, here or elsewhere.
          </Download>
        </ul>
      </Card>
    </Sheet>
  );
}

function countOf(which: Which): number {
  const all = images.value.filter((image) => image.num_points > 0);
  if (which === "sample") return all.filter((image) => image.in_sample).length;
  if (which === "reviewed") return all.filter((image) => !image.in_sample && image.complete).length;
  return all.length;
}

function Points({ project: open }: { project: Project }) {
  const which = useSignal<Which>("labeled");
  const tpsY = useSignal<TpsY>("bottom");
  const number = countOf(which.value);
  const choices: { value: Which; text: string }[] = [
    { value: "labeled", text: "all images with points" },
    { value: "sample", text: "the sample only, labelled blind" },
    { value: "reviewed", text: "the reviewed images only" },
  ];
  return (
    <Card title="Points">
      <div class="row export-choices">
        <SelectField
          label="Of which images"
          value={which.value}
          options={choices}
          onValue={(value) => (which.value = value)}
          hint={number === 0 ? "None has points yet." : `${counted(number, "image")}.`}
        />
        <TpsYField
          value={tpsY.value}
          onValue={(value) => (tpsY.value = value)}
          hint="For TPS files only."
        />
      </div>
      <ul class="downloads">
        {formats.map(({ format, name, about }) => (
          <Download
            key={format}
            name={name}
            disabled={number === 0}
            href={api.exportUrl(
              open.id,
              format,
              which.value,
              format === "tps" ? tpsY.value : undefined,
            )}>
            {about}
          </Download>
        ))}
      </ul>
      <p class="muted">
        Some formats cannot say everything (who placed a point, that it is hidden). Zipped ones list
        what was left out in LOSSES.txt.
      </p>
    </Card>
  );
}

function Sets({ project: open }: { project: Project }) {
  const alpha = useSignal(open.settings.alpha);
  const together = useSignal(open.settings.simultaneous);
  const ready = (status.value?.num_rest ?? 0) > 0 && (status.value?.n ?? 0) > 0;
  const exploring = alpha.value !== open.settings.alpha;
  const target = parseAlpha(open.settings.alpha);
  return (
    <Card title="Regions and p-values">
      <p>
        For every image outside the sample: the patches in each landmark's region, their p-values,
        the proposed point, and what is promised.
      </p>
      <div class="row export-choices">
        <SelectField
          label="Target"
          value={alpha.value}
          options={targetOptions(open.settings.alpha)}
          onValue={(value) => (alpha.value = value)}
          hint={
            exploring && target
              ? `The project's own target is ${confidencePercent(target)}; the file says so.`
              : undefined
          }
        />
        <Switch
          label="All landmarks of an image at once"
          checked={together.value}
          onChecked={(value) => (together.value = value)}
        />
      </div>
      <ul class="downloads">
        <Download
          name="Regions, CSV"
          disabled={!ready}
          href={api.setsUrl(open.id, "csv", alpha.value, together.value)}>
          One line a landmark and image, as <code>caos landmarks predict</code> writes it.
        </Download>
        <Download
          name="Regions, JSON"
          disabled={!ready}
          href={api.setsUrl(open.id, "json", alpha.value, together.value)}>
          The same with all p-values, for programs.
        </Download>
      </ul>
      {!ready && <p class="muted">There are no regions yet: label images of the sample first.</p>}
    </Card>
  );
}

function Model({ project: open }: { project: Project }) {
  const promise = status.value?.promise;
  // Whoever predicts with the file is told of a guarantee, so there must be one.
  const ready = promise !== undefined && promise.kind !== "none";
  return (
    <Card title="The calibration">
      <ul class="downloads">
        <Download name="model.caos" disabled={!ready} href={api.modelUrl(open.id)}>
          All that predicting needs, for the command line: new images, other machines, scripts.
        </Download>
      </ul>
      <p>With the images to predict in a folder:</p>
      <pre class="command">
        <code>{`caos landmarks predict model.caos new-images --alpha ${open.settings.alpha} --out regions.json`}</code>
      </pre>
      {promise?.kind === "none" && (
        <p class="muted">There is none without a guarantee: {promise.why_none}.</p>
      )}
    </Card>
  );
}
