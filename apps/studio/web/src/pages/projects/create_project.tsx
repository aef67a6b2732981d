// A new project, and the choices that must be made before results are seen.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { SelectField, TextField } from "../../components/field";
import { go } from "../../router";
import { Card, Failure, useCall } from "../../components/page_parts";
import { targetOptions } from "../../regions/coverage_targets";

export const scores = [
  { value: "cosine", text: "cosine: how alike two patches are (the plain choice)" },
  { value: "margin", text: "margin: cosine, and how far other patches of the image beat it" },
  { value: "softmax", text: "softmax: a patch must win against all others of its image" },
  { value: "geometry", text: "geometry: cosine, and how far a patch is from where all patches together place the landmark" },
];

export function CreateProject({ onCancel }: { onCancel?: () => void }) {
  const name = useSignal("");
  const score = useSignal("cosine");
  const k = useSignal("3");
  const alpha = useSignal("0.1");
  const call = useCall();
  const create = (event: Event) => {
    event.preventDefault();
    const settings = { score: score.value, k: Number(k.value), alpha: alpha.value };
    void call.run(async () => {
      const project = await api.createProject(name.value.trim(), settings);
      go("images", project.id);
    });
  };
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
          label="How often regions must hold the true place"
          value={alpha.value}
          options={targetOptions("0.1")}
          onValue={(value) => (alpha.value = value)}
          hint="The target, alpha being the share of misses that is allowed. More labels than the least make regions smaller."
        />
        <details class="more">
          <summary>Score and k (the defaults are sensible)</summary>
          <div class="stack">
            <SelectField
              label="Score"
              value={score.value}
              options={scores}
              onValue={(value) => (score.value = value)}
              hint="How one labeled image judges a patch of another. Each keeps the guarantee; better ones make regions smaller."
            />
            <TextField
              label="k"
              type="number"
              min={1}
              max={20}
              required
              value={k.value}
              onText={(text) => (k.value = text)}
              hint="How many of the most alike labeled images speak for a patch; 3 suits tens of labels."
            />
          </div>
        </details>
        <p class="note">
          Choose before you look: score and k are fixed once the sample is drawn, and the target
          once regions are seen. A choice made after seeing results costs the guarantee.
        </p>
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
      </form>
    </Card>
  );
}
