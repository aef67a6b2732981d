// What of a project may be changed, and what is fixed and why.
import { useSignal } from "@preact/signals";
import * as api from "../api";
import { Button } from "../components/button";
import { SelectField, Switch, TextField } from "../components/field";
import { toast } from "../components/toast";
import { project } from "../project";
import { refreshStatus, simultaneous } from "../regions/status";
import type { Project, Settings } from "../types";
import { Card, Failure, Sheet, useCall } from "./parts";
import { scores } from "./projects_create";
import { targetOptions } from "./targets";

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
  const settings = { ...open.settings, ...edits.value };
  const set = (part: Partial<Settings>) => (edits.value = { ...edits.value, ...part });
  const changed = name.value.trim() !== open.name || isChanged(edits.value, open.settings);
  const save = (event: Event) => {
    event.preventDefault();
    void call.run(async () => {
      const patch = { name: name.value.trim(), settings: edits.value };
      const stored = await api.updateProject(open.id, patch);
      edits.value = {};
      project.value = stored;
      simultaneous.value = stored.settings.simultaneous;
      await refreshStatus();
      toast("Settings saved.", "success");
    });
  };
  return (
    <Sheet title="Settings">
      <form class="stack" onSubmit={save}>
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
        <PromiseCard project={open} settings={settings} onSettings={set} />
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
      label="Millimetres per pixel"
      type="number"
      step="any"
      min={0}
      value={typed.value}
      onText={change}
      placeholder="unknown"
      hint="For images without a scale of their own; comparisons of annotators then show millimetres."
    />
  );
}

function PromiseCard({ project: open, settings, onSettings }: PartProps & { project: Project }) {
  const drawn = open.sampling.kind !== "none";
  const moved = drawn && settings.alpha !== open.settings.alpha;
  return (
    <Card title="What is promised">
      <div class="stack">
        <SelectField
          label="Target"
          value={settings.alpha}
          options={targetOptions(settings.alpha)}
          onValue={(alpha) => onSettings({ alpha })}
          hint="How often regions must hold the true place. On the review page other values can be looked at."
        />
        {moved && (
          <p class="note warn">
            The promise is for a target that was chosen before results were seen. Change it for a
            reason that has nothing to do with how the regions look.
          </p>
        )}
        <Switch
          label="One promise for all landmarks of an image at once"
          checked={settings.simultaneous}
          onChecked={(value) => onSettings({ simultaneous: value })}
          hint="Stricter: with 90 %, the chance is nine in ten that every landmark of an image lies in its region. Regions are larger."
        />
        <Switch
          label="Use corrected images as references, too"
          checked={settings.use_corrections}
          onChecked={(value) => onSettings({ use_corrections: value })}
          hint="Switches the guarantee off while it is on: corrected images are no random sample."
        />
      </div>
    </Card>
  );
}

function FixedCard({ project: open, settings, onSettings }: PartProps & { project: Project }) {
  const drawn = open.sampling.kind !== "none";
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
            options={
              scores.some((one) => one.value === settings.score)
                ? scores
                : [{ value: settings.score, text: settings.score }, ...scores]
            }
            hint="How one labelled image judges a patch of another."
          />
          <TextField
            label="k"
            type="number"
            min={1}
            max={20}
            value={settings.k}
            onText={(text) => onSettings({ k: Math.max(1, Math.round(Number(text) || 1)) })}
            hint="How many of the most alike labelled images speak for a patch."
          />
        </div>
      )}
    </Card>
  );
}

function FixedFacts({ project: open }: { project: Project }) {
  const facts: [string, string][] = [
    ["Score", open.settings.score],
    ["k", String(open.settings.k)],
    [
      "Reads images with",
      open.backbone + (open.working_size === "" ? "" : `, ${open.working_size}`),
    ],
    [
      "Sample",
      open.sampling.kind === "random"
        ? `${open.sampling.size} images at random (seed ${open.sampling.seed})`
        : `${open.sampling.size} images as given`,
    ],
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
