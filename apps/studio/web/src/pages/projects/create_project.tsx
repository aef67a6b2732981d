// A new project, and the choices that must be made before results are seen.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { SelectField, TextField } from "../../components/field";
import { go } from "../../router";
import type { Health, Settings } from "../../types";
import { Card, Failure, useCall } from "../../components/page_parts";
import { targetOptions } from "../../regions/coverage_targets";
import { FilePatchPreview, WorkingSizeField } from "./working_size";

export const scores = [
  {
    value: "geometry",
    text: "geometry: cosine, and the distance from where all patches place the landmark",
  },
  { value: "cosine", text: "cosine: how similar two patches are" },
  { value: "margin", text: "margin: cosine, minus that of other patches of the image" },
  { value: "softmax", text: "softmax: a patch against all others of its image" },
];

/** The scores that can be chosen, also one that the page does not know. */
export function scoreOptions(chosen: string): { value: string; text: string }[] {
  return scores.some((one) => one.value === chosen)
    ? scores
    : [{ value: chosen, text: chosen }, ...scores];
}

export function CreateProject({ onCancel }: { onCancel?: () => void }) {
  const name = useSignal("");
  const alpha = useSignal("0.1");
  // What is not chosen here is the server's default, whichever that is.
  const chosen = useSignal<Partial<Settings>>({});
  const size = useSignal<string | null>(null);
  const usual = useSignal<Health | null>(null);
  useEffect(() => void api.health().then((found) => (usual.value = found)), []);
  const call = useCall();
  const create = (event: Event) => {
    event.preventDefault();
    const settings = { ...chosen.value, alpha: alpha.value };
    void call.run(async () => {
      const project = await api.createProject(
        name.value.trim(),
        settings,
        size.value ?? undefined,
      );
      go("images", project.id);
    });
  };
  const score = chosen.value.score ?? usual.value?.score ?? "geometry";
  const usualSize = usual.value?.working_size ?? "512";
  return (
    <Card title="New project">
      <form onSubmit={create} class="stack">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={name.value}
          placeholder="for example: skull radiographs"
          onText={(text) => (name.value = text)}
        />
        <SelectField
          label="How often regions must contain the true position"
          value={alpha.value}
          options={targetOptions("0.1")}
          onValue={(value) => (alpha.value = value)}
          hint="On average. It is fixed once regions are seen."
        />
        <Failure text={call.failure.value} />
        <div class="row">
          <Button
            kind="primary"
            type="submit"
            disabled={name.value.trim() === "" || call.busy.value}>
            Create project
          </Button>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        </div>
        <details class="more">
          <summary>Working size, score and k (the defaults are sensible)</summary>
          <div class="stack">
            <WorkingSizeField
              value={size.value ?? usualSize}
              usual={usualSize}
              onValue={(value) => (size.value = value)}
            />
            <FilePatchPreview size={size.value ?? usualSize} />
            <SelectField
              label="Score"
              value={score}
              options={scoreOptions(score)}
              onValue={(value) => (chosen.value = { ...chosen.value, score: value })}
              hint="How a labeled image judges a patch of another. Each keeps the guarantee; better ones give smaller regions."
            />
            <TextField
              label="k"
              type="number"
              min={1}
              max={20}
              required
              value={chosen.value.k ?? usual.value?.k ?? 3}
              onText={(text) => (chosen.value = { ...chosen.value, k: Number(text) })}
              hint="How many of the most similar labeled images count; 3 suits tens of labels."
            />
            <p class="note">
              Score and k are fixed once the sample is drawn. Choosing them after seeing results
              would cost the guarantee.
            </p>
          </div>
        </details>
      </form>
    </Card>
  );
}
