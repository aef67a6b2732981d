// What the guarantee stands on: labels, rank, target, the check of the order, the assumption.
import { useSignal } from "@preact/signals";
import * as api from "../api";
import { project } from "../project";
import type { Status } from "../types";
import { type Alpha, confidencePercent, parseAlpha, rank } from "./alpha";
import { AuditSection } from "./audit_link";
import {
  type GuaranteeWords,
  aboutThisProject,
  alarmSentence,
  asSentence,
  levelOf,
  reviewedSentence,
} from "./guarantee";
import { Shield } from "./shield";
import { refreshStatus, simultaneous } from "./status";
import { WealthChart } from "./wealth_chart";

interface PanelProps {
  status: Status;
  alpha: Alpha;
  words: GuaranteeWords;
}

/** Everything about the guarantee, in sections. */
export function GuaranteePanel({ status, alpha, words }: PanelProps) {
  return (
    <div class="guarantee-panel">
      <div class={`guarantee-head tone-${words.tone}`}>
        <Shield tone={words.tone} size={34} />
        <div>
          <h2>{words.title}</h2>
          <p>{words.sentence}</p>
          {(words.tone === "design" || words.tone === "trust") && <p>{aboutThisProject}</p>}
        </div>
      </div>
      <KindChoice />
      <Numbers status={status} alpha={alpha} />
      <Needs status={status} />
      <OrderCheck status={status} />
      <AuditSection />
      <Reviewed status={status} />
      {status.guarantee.assumption !== "" && (
        <section>
          <h3>Assumptions</h3>
          <p>{asSentence(status.guarantee.assumption)}</p>
        </section>
      )}
      <CorrectionsSwitch />
    </div>
  );
}

function KindChoice() {
  const kinds = [
    { value: false, title: "Each landmark by itself", text: "smaller regions" },
    { value: true, title: "All landmarks of an image at once", text: "stricter, larger regions" },
  ];
  return (
    <fieldset class="kind-choice">
      <legend>Regions for</legend>
      {kinds.map(({ value, title, text }) => (
        <label key={title}>
          <input
            type="radio"
            name="guarantee-kind"
            checked={simultaneous.value === value}
            onChange={() => (simultaneous.value = value)}
          />
          <span>
            {title} <small>({text})</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Numbers({ status, alpha }: { status: Status; alpha: Alpha }) {
  const labels = `${status.num_labeled} of ${status.sample_size}`;
  return (
    <section>
      <h3>In numbers</h3>
      <dl class="facts">
        <Fact term="Target" value={`${confidencePercent(alpha)} (alpha ${alpha.text})`} />
        <Fact term="Sample labeled" value={labels} />
        {status.look.count > 1 && <Fact term="Planned looks" value={lookText(status)} />}
      </dl>
      <details>
        <summary>Details</summary>
        <dl class="facts">
          <Fact term="Images that calibrate (n)" value={String(status.n)} />
          <Fact term="Rank of the threshold" value={rankText(status, levelOf(status, alpha))} />
          <Fact
            term="Smallest alpha possible now"
            value={status.n === 0 ? "none yet" : status.smallest_feasible_alpha.toFixed(4)}
          />
        </dl>
      </details>
    </section>
  );
}

function lookText({ look, guarantee }: Status): string {
  const next = look.next === null ? "" : `; the next at ${look.next} images`;
  return look.number === 0
    ? `0 of ${look.count} reached${next}`
    : `${look.number} of ${look.count} reached, alpha ${guarantee.alpha}${next}`;
}

function rankText(status: Status, alpha: Alpha): string {
  if (status.n === 0) return "none yet";
  if (status.weighted) return "weighted by the images of each subject";
  const needed = rank(alpha, status.n);
  return needed <= status.n
    ? `${needed} of ${status.n}`
    : `${needed}, but there are ${status.n} only`;
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Needs({ status }: { status: Status }) {
  return (
    <section>
      <h3>How many labels a target needs</h3>
      <ul class="needs">
        {status.needs.map((need) => (
          <li key={need.alpha} class={need.more === 0 ? "met" : ""}>
            <strong>{percentOf(need.alpha)}</strong>
            <span>{need.labels} labels</span>
            <small>{need.more === 0 ? "✓ reached" : `${need.more} more`}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function percentOf(text: string): string {
  const alpha = parseAlpha(text);
  return alpha === null ? text : confidencePercent(alpha);
}

function OrderCheck({ status }: { status: Status }) {
  // Mixed after they were labeled, images are in a random order whatever happened before.
  if (project.value?.sampling.kind === "given") {
    return (
      <section>
        <h3>Do the labeled images look like a random order?</h3>
        <p>
          This cannot be checked: the order in which these images were labeled is not known.
        </p>
      </section>
    );
  }
  return (
    <section>
      <h3>Do the labeled images look like a random order?</h3>
      {status.alarm.steps.length > 0 && <WealthChart alarm={status.alarm} />}
      <p class={status.alarm.raised ? "tone-alarm" : ""}>{alarmSentence(status.alarm)}</p>
    </section>
  );
}

function Reviewed({ status }: { status: Status }) {
  return (
    <section>
      <h3>What review found so far</h3>
      <p>
        {reviewedSentence(status.reviewed)}{" "}
        <small>
          A description, not part of the guarantee: reviewed images were not picked at random, and
          proposals were in view.
        </small>
      </p>
    </section>
  );
}

function CorrectionsSwitch() {
  const failure = useSignal("");
  const open = project.value;
  if (open === null) return null;
  const change = async (event: Event) => {
    const box = event.currentTarget as HTMLInputElement;
    try {
      project.value = await api.updateProject(open.id, {
        settings: { use_corrections: box.checked },
      });
      failure.value = "";
      await refreshStatus();
    } catch (error) {
      box.checked = open.settings.use_corrections;
      failure.value = (error as Error).message;
    }
  };
  return (
    <section class="corrections-switch">
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={open.settings.use_corrections}
          onChange={change}
        />
        <span>Use corrected images as references, too</span>
      </label>
      <p>
        <small>
          Regions may become smaller, but <strong>the guarantee is switched off</strong> while this
          is on: corrected images were chosen and seen with proposals. They are not a random
          sample.
        </small>
      </p>
      {failure.value !== "" && <p role="alert">{failure.value}</p>}
    </section>
  );
}
