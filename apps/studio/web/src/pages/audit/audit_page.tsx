// How many regions of this project are right: further images are labeled blind and counted.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { counted } from "../../counted";
import { auditImages, project, reloadProject } from "../../project";
import { confidencePercent, parseAlpha } from "../../regions/alpha";
import { useAudits } from "../../regions/audits";
import { asSentence } from "../../regions/guarantee";
import { hrefOf } from "../../router";
import type { Audit, Audits, Project } from "../../types";
import { BeginAudit } from "./audit_begin";
import { AuditResult } from "./audit_result";
import { Card, Failure, ProgressLine, Sheet, useCall } from "../../components/page_parts";
import "./audit.css";

export function AuditPage() {
  const open = project.value;
  return open === null ? null : <AuditOf key={open.id} project={open} />;
}

/** "90 %", from the alpha of an audit. */
function targetOf(alpha: string): string {
  const parsed = parseAlpha(alpha);
  return parsed === null ? alpha : confidencePercent(parsed);
}

function AuditOf({ project: open }: { project: Project }) {
  const together = useSignal(false);
  const size = useSignal<number | null>(null);
  const { audits, failure, show } = useAudits(open.id, together.value, size.value);
  const last = audits?.audits.filter((audit) => audit.state !== "discarded").at(-1);
  return (
    <Sheet
      title="Audit"
      lead={
        `The guarantee is an average over samples. An audit is about this project: label some more ` +
        `images without hints, and see how many of the remaining regions are right at least.`
      }>
      <Failure text={failure} />
      {audits === null && failure === "" && <p class="empty">Loading …</p>}
      {last?.state === "open" && <OpenAudit project={open} audit={last} onAudits={show} />}
      {last?.state === "finished" && (
        <AuditResult
          project={open}
          audit={last}
          target={targetOf(last.alpha)}
          together={together.value}
          onTogether={(value) => (together.value = value)}
        />
      )}
      {audits !== null && last?.state !== "open" && (
        <BeginAudit
          project={open}
          audits={audits}
          again={audits.audits.length > 0}
          onSize={(value) => (size.value = value)}
          onAudits={show}
        />
      )}
      {audits !== null && <Earlier audits={audits.audits.filter((audit) => audit !== last)} />}
    </Sheet>
  );
}

interface OpenAuditProps {
  project: Project;
  audit: Audit;
  onAudits: (audits: Audits) => void;
}

function OpenAudit({ project: open, audit, onAudits }: OpenAuditProps) {
  const asking = useSignal<"finish" | "discard" | null>(null);
  const next = auditImages.value.find((image) => !image.complete);
  const done = audit.num_labeled === audit.size;
  return (
    <Card title={`Audit of ${counted(audit.size, audit.unit)}`}>
      <div class="stack">
        <ProgressLine done={audit.num_labeled} total={audit.size} what="Labeled without hints" />
        <p>
          It judges the regions for {targetOf(audit.alpha)}
          {audit.simultaneous ? ", all landmarks of an image at once" : ", each landmark by itself"}
          . Regions of these images stay hidden, and the result is shown when all are labeled.
        </p>
        {audit.why_void !== "" && <p class="note warn">{asSentence(audit.why_void)}</p>}
        <div class="row">
          {next !== undefined && (
            <a class="button primary" href={hrefOf("annotate", open.id, next.id)}>
              {audit.num_labeled === 0 ? "Start labeling" : "Go on labeling"}
            </a>
          )}
          <Button
            kind={done ? "primary" : "plain"}
            disabled={!done || audit.why_void !== ""}
            onClick={() => (asking.value = "finish")}>
            Show the result …
          </Button>
          <Button kind="quiet" onClick={() => (asking.value = "discard")}>
            Discard the audit …
          </Button>
        </div>
      </div>
      {asking.value !== null && (
        <EndAudit
          project={open}
          audit={audit}
          how={asking.value}
          onAudits={onAudits}
          onClose={() => (asking.value = null)}
        />
      )}
    </Card>
  );
}

interface EndAuditProps extends OpenAuditProps {
  how: "finish" | "discard";
  onClose: () => void;
}

const endWords = {
  finish: {
    title: "Show the result?",
    text:
      "The labels of the audited images are frozen from then on: labels that change after the " +
      "result was seen would decide it. Correct what you want to correct before.",
    yes: "Freeze the labels and show the result",
  },
  discard: {
    title: "Discard the audit?",
    text:
      "Its labels stay, and its images can be reviewed with their regions. They are not used in a " +
      "later audit, which begins after them in the random order.",
    yes: "Discard the audit",
  },
};

function EndAudit({ project: open, how, onAudits, onClose }: EndAuditProps) {
  const call = useCall();
  const words = endWords[how];
  const end = () =>
    call.run(async () => {
      onAudits(await (how === "finish" ? api.finishAudit(open.id) : api.discardAudit(open.id)));
      await reloadProject();
      onClose();
    });
  const actions = (
    <>
      <Button onClick={onClose}>Not yet</Button>
      <Button
        kind={how === "finish" ? "primary" : "danger"}
        disabled={call.busy.value}
        onClick={end}>
        {words.yes}
      </Button>
    </>
  );
  return (
    <Dialog title={words.title} onClose={onClose} actions={actions}>
      <p>{words.text}</p>
      <Failure text={call.failure.value} />
    </Dialog>
  );
}

function Earlier({ audits }: { audits: Audit[] }) {
  if (audits.length === 0) return null;
  return (
    <Card title="Earlier audits">
      <ul class="earlier-audits">
        {audits.map((audit) => (
          <li key={audit.begun_at}>
            <strong>{new Date(audit.begun_at).toLocaleDateString()}</strong>:{" "}
            {counted(audit.size, audit.unit)}, {audit.state}.{" "}
            {audit.findings?.images.statement ?? ""} {asSentence(audit.why_void)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
