// Accepting proposals unseen, with a controlled share of wrong ones: chosen first, then decided.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../components/button";
import { SelectField, TextField } from "../../components/field";
import { Card, Failure, ProgressLine, Sheet, useCall } from "../../components/page_parts";
import { Table } from "../../components/table";
import { toast } from "../../components/toast";
import { counted } from "../../counted";
import { onEvent, onReconnect } from "../../events";
import { requireName } from "../../preferences";
import { landmarks, project, reloadProject } from "../../project";
import { asSentence } from "../../regions/guarantee";
import { status } from "../../regions/status";
import { hrefOf } from "../../router";
import type { Acceptance, Progress, Project } from "../../types";
import { pairForPercent, toleranceText, type ToleranceUnit } from "./tolerance";

export function AcceptPage() {
  const open = project.value;
  return open === null ? null : <AcceptOf key={open.id} project={open} />;
}

function AcceptOf({ project: open }: { project: Project }) {
  const known = useSignal<Acceptance | null>(null);
  const progress = useSignal<Progress | null>(null);
  const call = useCall();
  const load = () => call.run(async () => void (known.value = await api.acceptance(open.id)));
  useEffect(() => {
    void load();
    const ends = [
      onReconnect(() => void load()),
      onEvent((event) => {
        if (event.name === "acceptance") {
          progress.value = { done: event.done ?? 0, total: event.total ?? 0 };
        }
      }),
    ];
    return () => ends.forEach((end) => end());
  }, [open.id]);
  const work = (ask: () => Promise<Acceptance>) =>
    call.run(async () => {
      progress.value = null;
      try {
        known.value = await ask();
      } finally {
        progress.value = null;
      }
      await reloadProject();
    });
  const acceptance = known.value;
  const isOpen = acceptance?.state === "planned" || acceptance?.state === "ready";
  return (
    <Sheet
      title="Accept without review"
      lead="Choose how far off a point may be and how many wrong ones you can bear. The studio then accepts the proposals that meet this, and leaves the rest for you to check.">
      <Failure text={call.failure.value} />
      {acceptance === null && call.failure.value === "" && <p class="empty">Loading …</p>}
      {acceptance !== null && !isOpen && (
        <Plan project={open} acceptance={acceptance} busy={call.busy.value} onWork={work} />
      )}
      {progress.value !== null && <ProgressLine {...progress.value} what="Deciding on images" />}
      {acceptance !== null && acceptance.state !== "none" && acceptance.state !== "discarded" && (
        <Decision project={open} acceptance={acceptance} busy={call.busy.value} onWork={work} />
      )}
      <How />
    </Sheet>
  );
}

interface PartProps {
  project: Project;
  acceptance: Acceptance;
  busy: boolean;
  onWork: (ask: () => Promise<Acceptance>) => Promise<void>;
}

const errorRates = [
  { value: "0.05", text: "5 %" },
  { value: "0.1", text: "10 %" },
  { value: "0.2", text: "20 %" },
];

const unitWords: { value: ToleranceUnit; text: string }[] = [
  { value: "percent", text: "% of a distance" },
  { value: "px", text: "pixels" },
  { value: "mm", text: "millimeters" },
];

/** Tolerance, error rate and unit, before anything is computed. */
function Plan({ project: open, acceptance, busy, onWork }: PartProps) {
  const names = landmarks.value.map((landmark) => landmark.name);
  const pair = pairForPercent(landmarks.value);
  const unit = useSignal<ToleranceUnit>(pair === null ? "px" : "percent");
  const value = useSignal(unit.peek() === "percent" ? "3" : "5");
  const from = useSignal(pair?.[0] ?? "");
  const to = useSignal(pair?.[1] ?? "");
  const q = useSignal("0.1");
  const what = useSignal<"points" | "images">("points");
  if (acceptance.why_none !== "") {
    return (
      <Card title="Choose">
        <p class="note warn">{asSentence(acceptance.why_none)}</p>
      </Card>
    );
  }
  const text = toleranceText(unit.value, value.value, from.value, to.value);
  const isReady = (status.value?.embedding.done ?? 0) === (status.value?.embedding.total ?? -1);
  const named = (value: string) =>
    (value === "" ? ["", ...names] : names).map((name) => ({ value: name, text: name || "–" }));
  const plan = (event: Event) => {
    event.preventDefault();
    if (text === null) return;
    void onWork(() =>
      api.planAcceptance(open.id, { tolerance: text, q: q.value, unit: what.value }),
    );
  };
  return (
    <Card title="Choose before you look">
      <form class="stack" onSubmit={plan}>
        <p>
          {counted(acceptance.num_possible, "image")} can be decided on.{" "}
          {counted(acceptance.num_labeled, "labeled image")}: one half proposes points, the other
          half measures how wrong proposals are.
        </p>
        <div class="row definition-form">
          <TextField
            label="A point may be off by"
            type="number"
            min={0}
            step="any"
            required
            value={value.value}
            onText={(typed) => (value.value = typed)}
          />
          <SelectField
            label="Unit"
            value={unit.value}
            options={unitWords}
            onValue={(chosen) => (unit.value = chosen)}
          />
          {unit.value === "percent" && (
            <>
              <SelectField
                label="Distance from"
                value={from.value}
                options={named(from.value)}
                onValue={(name) => (from.value = name)}
              />
              <SelectField
                label="to"
                value={to.value}
                options={named(to.value)}
                onValue={(name) => (to.value = name)}
              />
            </>
          )}
        </div>
        <div class="row export-choices">
          <SelectField
            label="Wrong points, on average at most"
            value={q.value}
            options={errorRates}
            onValue={(chosen) => (q.value = chosen)}
          />
          <SelectField
            label="Accept"
            value={what.value}
            options={[
              { value: "points", text: "points, each on its own" },
              { value: "images", text: "whole images" },
            ]}
            onValue={(chosen) => (what.value = chosen)}
            hint="An image is wrong if one of its points is."
          />
        </div>
        {open.integrity.results_seen_at !== null && (
          <p class="note warn">
            Regions of this project have been seen. A choice that is made now is taken on trust.
          </p>
        )}
        <div class="row">
          <Button kind="primary" type="submit" disabled={busy || text === null || !isReady}>
            {busy ? "Computing …" : "Fix the choice and compute"}
          </Button>
          {!isReady && <span class="muted">Images are still being read.</span>}
        </div>
      </form>
    </Card>
  );
}

/** What was chosen, what came of it, and what to do with it. */
function Decision({ project: open, acceptance, busy, onWork }: PartProps) {
  const accept = async () => {
    const name = await requireName();
    if (name === null) return;
    await onWork(() => api.acceptPoints(open.id, name));
    toast("Accepted. The rest is in the review queue.", "success");
  };
  const isDecided = acceptance.state !== "planned";
  const accepted = acceptance.num_accepted ?? 0;
  const total = acceptance.num_points ?? 0;
  return (
    <Card title={acceptance.state === "accepted" ? "Accepted" : "Your choice"}>
      <div class="stack">
        <p>
          Tolerance {acceptance.tolerance}, at most {percentOf(acceptance.q)} wrong on average,
          decided by {acceptance.unit === "images" ? "whole images" : "points"}.
        </p>
        {isDecided && (
          <p class="accept-verdict">
            <strong data-testid="num-accepted">
              {accepted} of {total} proposals
            </strong>{" "}
            {acceptance.state === "accepted" ? "were" : "can be"} accepted unseen, in{" "}
            {counted(acceptance.num_images_accepted ?? 0, "image")} all of them.
          </p>
        )}
        {isDecided && <GuaranteeNote acceptance={acceptance} />}
        {acceptance.warning !== "" && <p class="note warn">{asSentence(acceptance.warning)}</p>}
        <div class="row">
          {acceptance.state === "planned" && (
            <Button
              kind="primary"
              disabled={busy}
              onClick={() => void onWork(() => api.decideAcceptance(open.id))}>
              {busy ? "Computing …" : "Compute"}
            </Button>
          )}
          {acceptance.state === "ready" && (
            <Button kind="primary" disabled={busy || accepted === 0} onClick={() => void accept()}>
              Accept {counted(accepted, "point")}
            </Button>
          )}
          {(acceptance.state === "planned" || acceptance.state === "ready") && (
            <Button
              kind="quiet"
              disabled={busy}
              onClick={() => void onWork(() => api.discardAcceptance(open.id))}>
              Discard
            </Button>
          )}
          {acceptance.state === "accepted" && (
            <a class="button primary" href={hrefOf("review", open.id)}>
              Review the rest
            </a>
          )}
        </div>
        {isDecided && (acceptance.landmarks?.length ?? 0) > 0 && (
          <Table
            caption="Accepted by landmark"
            rows={acceptance.landmarks ?? []}
            keyOf={(row) => row.name}
            columns={[
              { title: "Landmark", cell: (row) => row.name },
              {
                title: "Accepted",
                number: true,
                cell: (row) => `${row.accepted} of ${row.candidates}`,
              },
              {
                title: "Wrong in calibration",
                number: true,
                cell: (row) => `${row.wrong_in_calibration} of ${acceptance.num_calibration}`,
              },
            ]}
          />
        )}
        {(acceptance.left_out?.length ?? 0) > 0 && (
          <p class="muted">Too few labels for {acceptance.left_out?.join(", ")}.</p>
        )}
      </div>
    </Card>
  );
}

function percentOf(share: string | undefined): string {
  return `${Math.round(1e4 * Number(share)) / 100} %`;
}

function GuaranteeNote({ acceptance }: { acceptance: Acceptance }) {
  const { guarantee, claim, assumption } = acceptance;
  if (guarantee.kind === "none") {
    return (
      <p class="note warn">
        <strong>No guarantee:</strong> {asSentence(guarantee.why_none)}
      </p>
    );
  }
  return (
    <div class="note">
      <p>
        <strong>{guarantee.by_design ? "Guaranteed" : "Guaranteed on trust"}:</strong>{" "}
        {asSentence(claim)}
      </p>
      <details>
        <summary>Details</summary>
        <p>{asSentence(assumption)}</p>
      </details>
    </div>
  );
}

function How() {
  return (
    <Card title="What the words mean">
      <p>
        If this were repeated many times with new samples, the share of wrong points among the
        accepted ones would be at most your error rate on average. A single project can have more or
        fewer. The images are fixed before anything is computed, and points that you have placed
        stay. Accepted points are marked as auto-accepted in history and exports.
      </p>
    </Card>
  );
}
