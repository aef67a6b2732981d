// What of a project may be changed, and what is fixed and why.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { SelectField, Switch, TextField } from "../../components/field";
import { toast } from "../../components/toast";
import { images, project } from "../../project";
import { refreshStatus, simultaneous } from "../../regions/status";
import type { Project, Settings, Target } from "../../types";
import { Card, Failure, Sheet, useCall } from "../../components/page_parts";
import { useUnsaved } from "../../sync/unsaved";
import { scoreOptions } from "../projects/create_project";
import { ImagePatchPreview, WorkingSizeField } from "../projects/working_size";
import { targetOptions } from "../../regions/coverage_targets";

const targetWords: { value: Target; text: string }[] = [
  { value: "subject", text: "a random image of a new subject" },
  { value: "image", text: "a random image of the rest of the pool" },
];

export function SettingsPage() {
  const open = project.value;
  return open === null ? null : <SettingsForm key={open.id} project={open} />;
}

function isChanged(edits: Partial<Settings>, stored: Settings): boolean {
  return (Object.keys(edits) as (keyof Settings)[]).some((key) => edits[key] !== stored[key]);
}

function SettingsForm({ project: open }: { project: Project }) {
  const name = useSignal(open.name);
  // Only what was changed here is sent, so that others' changes to the rest stay.
  const edits = useSignal<Partial<Settings>>({});
  const call = useCall();
  const size = useSignal<string | null>(null);
  const settings = { ...open.settings, ...edits.value };
  const set = (part: Partial<Settings>) => (edits.value = { ...edits.value, ...part });
  const rescales = size.value !== null && size.value !== open.working_size;
  const changed =
    rescales || name.value.trim() !== open.name || isChanged(edits.value, open.settings);
  useUnsaved("settings", changed);
  const confirming = useSignal(false);
  const save = (confirm: boolean) =>
    call.run(async () => {
      const patch = {
        name: name.value.trim(),
        settings: edits.value,
        ...(rescales && size.value !== null ? { working_size: size.value } : {}),
        confirm,
      };
      const stored = await api.updateProject(open.id, patch);
      confirming.value = false;
      edits.value = {};
      size.value = null;
      project.value = stored;
      simultaneous.value = stored.settings.simultaneous;
      await refreshStatus();
      toast("Settings saved.", "success");
    });
  const submit = (event: Event) => {
    event.preventDefault();
    if (costsGuarantee(open, settings) || (rescales && rescalingCosts(open))) {
      confirming.value = true;
    } else void save(false);
  };
  return (
    <Sheet title="Settings">
      {confirming.value && (
        <ConfirmTarget
          busy={call.busy.value}
          failure={call.failure.value}
          onConfirm={() => void save(true)}
          onClose={() => (confirming.value = false)}
        />
      )}
      <form class="stack" onSubmit={submit}>
        <Card title="Project">
          <div class="stack">
            <TextField
              label="Name"
              required
              maxLength={200}
              value={name.value}
              onText={(text) => (name.value = text)}
            />
            <ScaleField settings={settings} onSettings={set} />
          </div>
        </Card>
        <GuaranteeCard project={open} settings={settings} onSettings={set} />
        <WorkingSizeCard
          project={open}
          size={size.value ?? open.working_size}
          onSize={(value) => (size.value = value)}
        />
        <FixedCard project={open} settings={settings} onSettings={set} />
        <Failure text={call.failure.value} />
        <div class="save-bar">
          <Button
            kind="primary"
            type="submit"
            disabled={!changed || name.value.trim() === "" || call.busy.value}>
            Save settings
          </Button>
          <span class="muted" role="status">
            {changed ? "Not saved yet" : "Saved"}
          </span>
        </div>
      </form>
    </Sheet>
  );
}

/** Whether another target comes after results, which costs the guarantee. */
function costsGuarantee({ settings: stored, integrity }: Project, settings: Settings): boolean {
  const isOther =
    settings.alpha !== stored.alpha || settings.simultaneous !== stored.simultaneous;
  return isOther && integrity.results_seen_at !== null && integrity.retargeted_at === null;
}

/** Whether another working size comes after results, which costs the guarantee. */
function rescalingCosts({ integrity }: Project): boolean {
  return integrity.results_seen_at !== null && integrity.rescaled_at === null;
}

interface WorkingSizeCardProps {
  project: Project;
  size: string;
  onSize: (size: string) => void;
}

function WorkingSizeCard({ project: open, size, onSize }: WorkingSizeCardProps) {
  const usual = useSignal("512");
  useEffect(() => void api.health().then((found) => (usual.value = found.working_size ?? "512")), []);
  const first = images.value[0];
  return (
    <Card title="Working size">
      <div class="stack">
        <WorkingSizeField value={size} usual={usual.value} onValue={onSize} />
        {size !== open.working_size && (
          <p class="note warn">
            All images are read again, which takes a while.
            {rescalingCosts(open) &&
              " Regions have been seen: changing the working size now costs the guarantee."}
          </p>
        )}
        {first && <ImagePatchPreview project={open.id} image={first.id} size={size} />}
      </div>
    </Card>
  );
}

interface ConfirmTargetProps {
  busy: boolean;
  failure: string;
  onConfirm: () => void;
  onClose: () => void;
}

function ConfirmTarget({ busy, failure, onConfirm, onClose }: ConfirmTargetProps) {
  const actions = (
    <>
      <Button onClick={onClose}>Keep it</Button>
      <Button kind="danger" disabled={busy} onClick={onConfirm}>
        Change it without guarantee
      </Button>
    </>
  );
  return (
    <Dialog title="Change this after regions were seen?" onClose={onClose} actions={actions}>
      <p class="note warn">
        Regions of this project have been seen. A target or working size chosen after that may have
        been chosen by results, so the guarantee is lost permanently. The slider of the review page
        shows other targets at no cost.
      </p>
      <Failure text={failure} />
    </Dialog>
  );
}

interface PartProps {
  settings: Settings;
  onSettings: (part: Partial<Settings>) => void;
}

function ScaleField({ settings, onSettings }: PartProps) {
  // What is typed stays as it is typed: "0." is on its way to 0.1.
  const typed = useSignal(settings.mm_per_pixel === null ? "" : String(settings.mm_per_pixel));
  const change = (text: string) => {
    typed.value = text;
    const number = Number(text);
    onSettings({ mm_per_pixel: text === "" || !(number > 0) ? null : number });
  };
  return (
    <TextField
      label="Millimeters per pixel"
      type="number"
      step="any"
      min={0}
      value={typed.value}
      onText={change}
      placeholder="unknown"
      hint="For images without a scale of their own; comparisons of annotators then show millimeters."
    />
  );
}

function GuaranteeCard({ project: open, settings, onSettings }: PartProps & { project: Project }) {
  return (
    <Card title="What is guaranteed">
      <div class="stack">
        <SelectField
          label="Target"
          value={settings.alpha}
          options={targetOptions(settings.alpha)}
          onValue={(alpha) => onSettings({ alpha })}
          hint="How often regions must contain the true position, on average. The review page shows other values, too."
        />
        {costsGuarantee(open, settings) && (
          <p class="note warn">
            Regions have been seen: changing the target now costs the guarantee.
          </p>
        )}
        <Switch
          label="One guarantee for all landmarks of an image at once"
          checked={settings.simultaneous}
          onChecked={(value) => onSettings({ simultaneous: value })}
          hint="Stricter: with 90 %, the chance is nine in ten that every landmark of an image lies in its region. Regions are larger."
        />
        <Switch
          label="Use corrected images as references, too"
          checked={settings.use_corrections}
          onChecked={(value) => onSettings({ use_corrections: value })}
          hint="Turns the guarantee off: corrected images are not a random sample."
        />
      </div>
    </Card>
  );
}

function FixedCard({ project: open, settings, onSettings }: PartProps & { project: Project }) {
  const drawn = open.sampling.kind !== "none";
  const hasSubjects = images.value.some((image) => image.subject !== null);
  return (
    <Card title={drawn ? "Fixed since the sample was drawn" : "Fixed once the sample is drawn"}>
      {drawn ? (
        <FixedFacts project={open} />
      ) : (
        <div class="stack">
          <SelectField
            label="Score"
            value={settings.score}
            onValue={(score) => onSettings({ score })}
            options={scoreOptions(settings.score)}
            hint="How a labeled image judges a patch of another."
          />
          <TextField
            label="k"
            type="number"
            min={1}
            max={20}
            value={settings.k}
            onText={(text) => onSettings({ k: Math.max(1, Math.round(Number(text) || 1)) })}
            hint="How many of the most similar labeled images count."
          />
          {hasSubjects && (
            <SelectField
              label="The guarantee is for"
              value={settings.target}
              options={targetWords}
              onValue={(target) => onSettings({ target })}
              hint="Subjects differ in how many images they have. If those with many images are harder, a guarantee for a random subject says little about a random image."
            />
          )}
        </div>
      )}
    </Card>
  );
}

function looksFact({ sampling }: Project): [string, string][] {
  const words = sampling.looks.map((look) => `${look.size} images (alpha ${look.alpha})`);
  return words.length === 0 ? [] : [["Planned looks", words.join(", ")]];
}

function FixedFacts({ project: open }: { project: Project }) {
  const hasSubjects = images.value.some((image) => image.subject !== null);
  const target = targetWords.find((one) => one.value === open.settings.target);
  const facts: [string, string][] = [
    ["Score", open.settings.score],
    ["k", String(open.settings.k)],
    ...(hasSubjects ? [["The guarantee is for", target?.text ?? ""] as [string, string]] : []),
    [
      "Backbone",
      open.backbone,
    ],
    [
      "Sample",
      open.sampling.kind === "random"
        ? `${open.sampling.size} images at random (seed ${open.sampling.seed}${open.sampling.seed_given ? ", given by a client" : ""})`
        : `${open.sampling.size} images as given`,
    ],
    ...looksFact(open),
    [
      "Drawn",
      open.sampling.drawn_at === null ? "–" : new Date(open.sampling.drawn_at).toLocaleString(),
    ],
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(([term, value]) => (
          <>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <p class="muted">
        The guarantee needs a score that was chosen before the labels were seen. For another one,
        make a new project.
      </p>
    </>
  );
}
