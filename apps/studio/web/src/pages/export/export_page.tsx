// Everything a project can hand out, each with one sentence of what it is for.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { SelectField, Switch } from "../../components/field";
import { counted } from "../../counted";
import { measures } from "../../measure/measures";
import { images, project } from "../../project";
import { parseAlpha } from "../../regions/alpha";
import { status } from "../../regions/status";
import { hrefOf } from "../../router";
import type { Project } from "../../types";
import { Card, Sheet } from "../../components/page_parts";
import { targetOptions } from "../../regions/coverage_targets";
import { type TpsY, TpsYField } from "../../components/tps_y_field";

type Which = api.PointsOf;

const formats: { format: api.ExportFormat; name: string; about: string }[] = [
  {
    format: "csv",
    name: "CSV",
    about: "One row per point, with subject, source and annotator; for spreadsheets, R and Python.",
  },
  {
    format: "wide-csv",
    name: "Wide CSV",
    about: "One row per image (id, X1, Y1, ...); for R's geomorph and MorphoJ.",
  },
  { format: "tps", name: "TPS", about: "One file for tpsDig, tpsRelw, geomorph and MorphoJ." },
  {
    format: "deeplabcut",
    name: "DeepLabCut, CSV",
    about: "CollectedData as DeepLabCut writes it, with the scorer caos.",
  },
  { format: "deeplabcut-h5", name: "DeepLabCut, HDF5", about: "The same as an .h5 file." },
  { format: "sleap", name: "SLEAP", about: "One .slp file that names the images." },
  { format: "coco", name: "COCO", about: "Keypoints as JSON, for detectron2, mmpose and others." },
  { format: "pts", name: "PTS", about: "One text file per image, as 300-W and menpo read it; zipped." },
  { format: "dlib", name: "dlib XML", about: "For dlib's shape predictor and its imglab." },
  { format: "label-studio", name: "Label Studio", about: "Tasks as JSON, to be imported there." },
  { format: "slicer", name: "3D Slicer", about: "One .mrk.json file of markups per image; zipped." },
  { format: "tem", name: "WebMorph", about: "One .tem template per image; zipped." },
  { format: "asf", name: "ASF", about: "One .asf file per image, for AAM tools; zipped." },
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

/** What handing out results costs that has not been lost already; empty: nothing. */
function costsOf(open: Project): string[] {
  const { integrity, sampling } = open;
  const spoilt =
    integrity.removed > 0 ||
    integrity.resized_at !== null ||
    integrity.retargeted_at !== null ||
    sampling.after_results;
  if (spoilt || integrity.results_seen_at !== null) return [];
  if (sampling.kind === "none") {
    return ["The file shows regions. A sample that is drawn after that has no guarantee."];
  }
  const rest = images.value.filter((image) => !image.in_sample && !image.seen).length;
  return [
    `${counted(rest, "image")} outside the sample will count as seen, since the file shows their regions. ` +
      "From then on drawing more images or changing the target costs the guarantee.",
  ];
}

/** A download that shows results: says first what that costs, and asks. */
function ResultDownload(props: {
  project: Project;
  href: string;
  name: string;
  children: ComponentChildren;
  disabled: boolean;
}) {
  const asking = useSignal(false);
  const costs = costsOf(props.project);
  if (props.disabled || costs.length === 0) return <Download {...props} />;
  const close = () => (asking.value = false);
  const actions = (
    <>
      <Button onClick={close}>Not yet</Button>
      <a class="button primary" href={props.href} download onClick={() => setTimeout(close)}>
        <span aria-hidden="true">↓</span> Export {props.name}
      </a>
    </>
  );
  return (
    <li class="download">
      <Button onClick={() => (asking.value = true)}>
        <span aria-hidden="true">↓</span> {props.name} …
      </Button>
      <p>{props.children}</p>
      {asking.value && (
        <Dialog title={`Export ${props.name}?`} onClose={close} actions={actions}>
          {costs.map((cost) => (
            <p key={cost} class="note warn">
              {cost}
            </p>
          ))}
          <p>The guarantee of the regions in the file stays.</p>
        </Dialog>
      )}
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
  return which === "all" ? images.value.length : all.length;
}

function Points({ project: open }: { project: Project }) {
  const which = useSignal<Which>("labeled");
  const tpsY = useSignal<TpsY>("bottom");
  const proposals = useSignal(false);
  const number = countOf(which.value);
  const hasProposals = (status.value?.n ?? 0) > 0 && (status.value?.num_rest ?? 0) > 0;
  const choices: { value: Which; text: string }[] = [
    { value: "labeled", text: "all images with points" },
    { value: "sample", text: "the sample only, labeled blind" },
    { value: "reviewed", text: "the reviewed images only" },
    { value: "all", text: "all images of the project" },
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
        {hasProposals && (
          <Switch
            label="With proposals that were not reviewed"
            checked={proposals.value}
            onChecked={(value) => {
              proposals.value = value;
              which.value = value ? "all" : "labeled";
            }}
            hint="For landmarks without a point. CSV marks them as proposed. They carry no guarantee."
          />
        )}
      </div>
      <ul class="downloads">
        {formats.map(({ format, name, about }) => {
          const props = {
            name,
            disabled: number === 0,
            href: api.exportUrl(open.id, format, which.value, {
              ...(format === "tps" ? { tps_y: tpsY.value } : {}),
              ...(proposals.value ? { proposals: true } : {}),
            }),
          };
          return proposals.value ? (
            <ResultDownload key={format} project={open} {...props}>
              {about}
            </ResultDownload>
          ) : (
            <Download key={format} {...props}>
              {about}
            </Download>
          );
        })}
        <Download
          name="Measures, CSV"
          disabled={measures.value.measures.length === 0}
          href={api.measuresUrl(open.id, which.value)}>
          Lengths and angles, one row per image and measure.{" "}
          <a href={hrefOf("measures", open.id)}>Define measures</a>
        </Download>
      </ul>
      <p class="muted">
        Some formats cannot say everything (who placed a point, that it is hidden). Zipped ones list
        what was left out in LOSSES.txt.
      </p>
    </Card>
  );
}

function Sets({ project: open }: { project: Project }) {
  const level = status.value?.guarantee.alpha ?? open.settings.alpha;
  const chosen = useSignal<string | null>(null);
  const alpha = chosen.value ?? level;
  const together = useSignal(open.settings.simultaneous);
  const ready = (status.value?.num_rest ?? 0) > 0 && (status.value?.n ?? 0) > 0;
  const exploring = alpha !== level;
  const target = parseAlpha(level);
  return (
    <Card title="Regions and p-values">
      <p>
        For every image outside the sample: each landmark's region with p-values, the proposed point,
        and what is guaranteed.
      </p>
      <div class="row export-choices">
        <SelectField
          label="Target"
          value={alpha}
          options={targetOptions(level)}
          onValue={(value) => (chosen.value = value)}
          hint={
            exploring && target
              ? `The guarantee is for regions at alpha ${target.text} only; the file says so.`
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
        <ResultDownload
          name="Regions, CSV"
          project={open}
          disabled={!ready}
          href={api.setsUrl(open.id, "csv", alpha, together.value)}>
          One row per landmark and image, as <code>caos landmarks predict</code> writes it.
        </ResultDownload>
        <ResultDownload
          name="Regions, JSON"
          project={open}
          disabled={!ready}
          href={api.setsUrl(open.id, "json", alpha, together.value)}>
          The same with all p-values, for programs.
        </ResultDownload>
      </ul>
      {!ready && <p class="muted">There are no regions yet: label images of the sample first.</p>}
    </Card>
  );
}

function Model({ project: open }: { project: Project }) {
  const guarantee = status.value?.guarantee;
  // Predictions with the file state a guarantee, so there must be one.
  const several = open.sampling.looks.length > 1;
  const ready = guarantee !== undefined && guarantee.kind !== "none" && !several;
  return (
    <Card title="The calibration">
      <ul class="downloads">
        <ResultDownload
          name="model.caos"
          project={open}
          disabled={!ready}
          href={api.modelUrl(open.id)}>
          All that predicting needs, for the command line: new images, other machines, scripts.
        </ResultDownload>
      </ul>
      <p>With the images to predict in a folder:</p>
      <pre class="command">
        <code>{`caos landmarks predict model.caos new-images --alpha ${guarantee?.alpha ?? open.settings.alpha} --output regions.json`}</code>
      </pre>
      {guarantee?.kind === "none" && (
        <p class="muted">There is none without a guarantee: {guarantee.why_none}.</p>
      )}
      {several && (
        <p class="muted">
          There is none with several planned looks: a model does not know that labeling may stop at
          any of them. The files with regions say what is guaranteed.
        </p>
      )}
    </Card>
  );
}
