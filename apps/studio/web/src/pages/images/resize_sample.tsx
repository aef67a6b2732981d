// Changing the size of a drawn sample: free until regions are seen, or at a planned look.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { counted } from "../../counted";
import { project as openProject, reloadProject, sample } from "../../project";
import { refreshStatus, status } from "../../regions/status";
import type { Project } from "../../types";
import { poolSize } from "./image_pool";
import { Failure, useCall } from "../../components/page_parts";

/** Whether another size was not planned and comes after results, which costs the guarantee. */
export function costsGuarantee({ sampling, integrity }: Project, size: number): boolean {
  const planned =
    sampling.looks.length === 0
      ? size === sampling.size
      : sampling.looks.some((look) => look.size === size);
  const isLost = integrity.resized_at !== null || sampling.after_results;
  return integrity.results_seen_at !== null && !isLost && !planned;
}

async function resize(project: Project, size: number): Promise<void> {
  const confirm = costsGuarantee(project, size);
  openProject.value = await api.drawSample(project.id, { size, confirm });
  await reloadProject();
  await refreshStatus();
}

/** What a size costs that was chosen after regions were seen. */
function Cost() {
  return (
    <p class="note warn">
      Regions of this project have been seen. If the size of the sample changes now, results may
      have decided when to stop, and there is no guarantee any more, for good. Going on until
      regions look small misses the target: 90 % becomes 88 %.
    </p>
  );
}

export function ExtendSample({ project }: { project: Project }) {
  const size = useSignal<string | null>(null);
  const call = useCall();
  const most = poolSize();
  if (project.sampling.size >= most) return null;
  if (size.value === null) {
    return (
      <Button onClick={() => (size.value = String(Math.min(most, project.sampling.size + 10)))}>
        Draw more …
      </Button>
    );
  }
  const wanted = Number(size.value);
  const valid = Number.isInteger(wanted) && wanted > project.sampling.size && wanted <= most;
  const costs = valid && costsGuarantee(project, wanted);
  const extend = (event: Event) => {
    event.preventDefault();
    void call.run(async () => {
      await resize(project, wanted);
      size.value = null;
    });
  };
  return (
    <form class="row draw-form" onSubmit={extend}>
      <TextField
        label="New size of the sample"
        type="number"
        min={project.sampling.size}
        max={most}
        value={size.value}
        onText={(text) => (size.value = text)}
        hint="The next ones of the same random order."
      />
      <Button
        kind={costs ? "danger" : "primary"}
        type="submit"
        disabled={call.busy.value || !valid}>
        {costs ? "Extend without guarantee" : "Extend"}
      </Button>
      <Button onClick={() => (size.value = null)}>Cancel</Button>
      {costs && <Cost />}
      <Failure text={call.failure.value} />
    </form>
  );
}

/** Where a sample can end before its last image: at the last look that is reached, or, without
 *  looks, at the last image that is labeled; null where it cannot. */
function endOf(project: Project): number | null {
  const { looks, size } = project.sampling;
  if (looks.length > 0) {
    const reached = status.value?.look;
    return reached && reached.number > 0 && reached.size < size ? reached.size : null;
  }
  const first = sample.value.findIndex((image) => !image.complete);
  const begun = sample.value.slice(first).some((image) => image.num_points > 0);
  return first > 0 && !begun ? first : null;
}

/** Ends the sample early. */
export function EndSample({ project }: { project: Project }) {
  const asking = useSignal(false);
  const call = useCall();
  const end = endOf(project);
  if (end === null) return null;
  const costs = costsGuarantee(project, end);
  const left = project.sampling.size - end;
  const close = () => (asking.value = false);
  const shrink = () =>
    call.run(async () => {
      await resize(project, end);
      close();
    });
  const actions = (
    <>
      <Button onClick={close}>Go on labeling</Button>
      <Button kind={costs ? "danger" : "primary"} disabled={call.busy.value} onClick={shrink}>
        {costs ? "End without guarantee" : `End at ${end}`}
      </Button>
    </>
  );
  return (
    <>
      <Button onClick={() => (asking.value = true)}>End at {end} …</Button>
      {asking.value && (
        <Dialog title={`End the sample at ${end}?`} onClose={close} actions={actions}>
          <p>
            {counted(left, "image leaves", "images leave")} the sample and{" "}
            {left === 1 ? "gets" : "get"} regions as the others do.
          </p>
          {costs ? (
            <Cost />
          ) : (
            <p>
              {project.sampling.looks.length > 0
                ? "This look was planned, so the guarantee stays."
                : "No region has been seen yet, so the guarantee stays."}
            </p>
          )}
          <Failure text={call.failure.value} />
        </Dialog>
      )}
    </>
  );
}
