// Lengths, angles and lines between landmarks: definitions of the project.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { SelectField, TextField } from "../../components/field";
import { Card, Failure, Sheet, useCall } from "../../components/page_parts";
import { toast } from "../../components/toast";
import { measures } from "../../measure/measures";
import { landmarkById, landmarks, project } from "../../project";
import { hrefOf } from "../../router";
import { useUnsaved } from "../../sync/unsaved";
import type { Measure, Measures, Project } from "../../types";

export function MeasuresPage() {
  const open = project.value;
  return open === null ? null : <MeasuresOf key={open.id} project={open} />;
}

const same = (a: Measures, b: Measures) => JSON.stringify(a) === JSON.stringify(b);

function MeasuresOf({ project: open }: { project: Project }) {
  const draft = useSignal<Measures>(measures.value);
  const base = useSignal<Measures>(measures.value);
  const call = useCall();
  const changed = !same(draft.value, base.value);
  useUnsaved("measures", changed);
  // What others saved is shown at once unless own changes would be lost.
  useEffect(() => {
    if (!changed && !same(measures.value, base.value)) {
      base.value = draft.value = measures.value;
    }
  }, [measures.value, changed]);
  const save = () =>
    call.run(async () => {
      const stored = await api.saveMeasures(open.id, {
        ...draft.value,
        revision: base.value.revision,
      });
      measures.value = base.value = draft.value = stored;
      toast("Measures saved.", "success");
    });
  if (landmarks.value.length < 2) {
    return (
      <Sheet title="Measures">
        <p class="empty">
          Measures need landmarks. <a href={hrefOf("scheme", open.id)}>Name them first</a>
        </p>
      </Sheet>
    );
  }
  return (
    <Sheet
      title="Measures"
      lead="Lengths, angles and lines between landmarks. They are shown while you label and review, and exported as CSV.">
      <Card title="Lengths and angles">
        <MeasureRows draft={draft} />
        <AddMeasure draft={draft} />
      </Card>
      <Card title="Lines on the image">
        <SkeletonRows draft={draft} />
        <AddLine draft={draft} />
      </Card>
      <Failure text={call.failure.value} />
      <div class="save-bar">
        <Button kind="primary" disabled={!changed || call.busy.value} onClick={() => void save()}>
          Save measures
        </Button>
        <Button disabled={!changed} onClick={() => (draft.value = base.value)}>
          Discard changes
        </Button>
        <span class="muted" role="status">
          {changed ? "Not saved yet" : "Saved"}
        </span>
      </div>
      <p class="muted">
        Lengths are in millimeters where the scale is known: set it by two clicks on the page{" "}
        <a href={hrefOf("annotate", open.id)}>Label</a>, or in{" "}
        <a href={hrefOf("settings", open.id)}>Settings</a>.
      </p>
    </Sheet>
  );
}

interface DraftProps {
  draft: { value: Measures };
}

const nameOf = (landmark: number) => landmarkById.value.get(landmark)?.name ?? `${landmark}`;

function describe({ kind, landmarks: ids }: Measure): string {
  const names = ids.map(nameOf);
  if (kind === "distance") return `length from ${names[0]} to ${names[1]}`;
  return names.length === 3
    ? `angle at ${names[1]}, from ${names[0]} to ${names[2]}`
    : `angle between ${names[0]}–${names[1]} and ${names[2]}–${names[3]}`;
}

function MeasureRows({ draft }: DraftProps) {
  const remove = (name: string) => {
    const all = draft.value.measures.filter((one) => one.name !== name);
    draft.value = { ...draft.value, measures: all };
  };
  if (draft.value.measures.length === 0) return <p class="muted">None yet.</p>;
  return (
    <ul class="definition-rows">
      {draft.value.measures.map((one) => (
        <li key={one.name}>
          <strong>{one.name}</strong>
          <span class="muted">{describe(one)}</span>
          <Button
            kind="quiet"
            class="sign"
            label={`Remove ${one.name}`}
            onClick={() => remove(one.name)}>
            ✕
          </Button>
        </li>
      ))}
    </ul>
  );
}

type Shape = "distance" | "corner" | "lines";

const shapes: { value: Shape; text: string; count: number; labels: string[] }[] = [
  { value: "distance", text: "Length", count: 2, labels: ["From", "To"] },
  {
    value: "corner",
    text: "Angle at a landmark",
    count: 3,
    labels: ["From", "Corner", "To"],
  },
  {
    value: "lines",
    text: "Angle between two lines",
    count: 4,
    labels: ["First line from", "to", "Second line from", "to"],
  },
];

function AddMeasure({ draft }: DraftProps) {
  const name = useSignal("");
  const shape = useSignal<Shape>("distance");
  const ids = useSignal<string[]>([]);
  const form = shapes.find((one) => one.value === shape.value) ?? shapes[0];
  if (!form) return null;
  const chosen = form.labels.map((_, index) => ids.value[index] ?? firstId(index));
  const problem = problemOf(draft.value, name.value.trim(), chosen);
  const add = (event: Event) => {
    event.preventDefault();
    if (problem !== null) return;
    const measure: Measure = {
      name: name.value.trim(),
      kind: shape.value === "distance" ? "distance" : "angle",
      landmarks: chosen.map(Number),
    };
    draft.value = { ...draft.value, measures: [...draft.value.measures, measure] };
    name.value = "";
  };
  return (
    <form class="row definition-form" onSubmit={add}>
      <TextField
        label="Name"
        value={name.value}
        maxLength={100}
        placeholder="face width"
        onText={(text) => (name.value = text)}
        error={name.value !== "" ? problem : null}
      />
      <SelectField
        label="What"
        value={shape.value}
        options={shapes}
        onValue={(value) => (shape.value = value)}
      />
      {form.labels.map((label, index) => (
        <LandmarkSelect
          key={`${form.value} ${index}`}
          label={label}
          value={chosen[index] ?? ""}
          onValue={(id) => {
            const next = [...chosen];
            next[index] = id;
            ids.value = next;
          }}
        />
      ))}
      <Button type="submit" disabled={problem !== null}>
        Add
      </Button>
    </form>
  );
}

function firstId(index: number): string {
  const all = landmarks.value;
  return String((all[index] ?? all[all.length - 1])?.id ?? "");
}

/** Why a measure cannot be added; null: it can. */
function problemOf(all: Measures, name: string, ids: string[]): string | null {
  if (name === "") return "It needs a name.";
  if (all.measures.some((one) => one.name === name)) return "Another measure has this name.";
  const last = ids.length - 1;
  const isFlat = ids[0] === ids[1] || (ids.length > 2 && ids[last - 1] === ids[last]);
  return isFlat ? "Both ends of a line are the same landmark." : null;
}

function LandmarkSelect(props: { label: string; value: string; onValue: (id: string) => void }) {
  const options = landmarks.value.map((one) => ({ value: String(one.id), text: one.name }));
  return <SelectField options={options} {...props} />;
}

function SkeletonRows({ draft }: DraftProps) {
  const lines = draft.value.skeleton;
  if (lines.length === 0) return <p class="muted">None yet.</p>;
  return (
    <ul class="definition-rows">
      {lines.map(([from, to], index) => (
        <li key={`${from} ${to}`}>
          <span>
            {nameOf(from)} – {nameOf(to)}
          </span>
          <Button
            kind="quiet"
            class="sign"
            label={`Remove the line from ${nameOf(from)} to ${nameOf(to)}`}
            onClick={() =>
              (draft.value = {
                ...draft.value,
                skeleton: lines.filter((_, other) => other !== index),
              })
            }>
            ✕
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AddLine({ draft }: DraftProps) {
  const from = useSignal("");
  const to = useSignal("");
  const a = Number(from.value || firstId(0));
  const b = Number(to.value || firstId(1));
  const isThere = draft.value.skeleton.some(
    ([x, y]) => (x === a && y === b) || (x === b && y === a),
  );
  const add = (event: Event) => {
    event.preventDefault();
    if (a === b || isThere) return;
    draft.value = { ...draft.value, skeleton: [...draft.value.skeleton, [a, b]] };
    from.value = String(b);
  };
  const chain = () => {
    const ids = landmarks.value.map((one) => one.id);
    const lines = ids.slice(1).map((id, index) => [ids[index] ?? id, id] as [number, number]);
    draft.value = { ...draft.value, skeleton: lines };
  };
  return (
    <form class="row definition-form" onSubmit={add}>
      <LandmarkSelect label="From" value={String(a)} onValue={(id) => (from.value = id)} />
      <LandmarkSelect label="To" value={String(b)} onValue={(id) => (to.value = id)} />
      <Button type="submit" disabled={a === b || isThere}>
        Add line
      </Button>
      <Button kind="quiet" onClick={chain}>
        Join all in their order
      </Button>
    </form>
  );
}
