// What a finished audit says, in sentences and by landmark.
import { Switch } from "../../components/field";
import { Table } from "../../components/table";
import { counted } from "../../counted";
import { images } from "../../project";
import { asSentence } from "../../regions/guarantee";
import { hrefOf } from "../../router";
import type { Audit, AuditFinding, Project } from "../../types";
import { Card } from "../../components/page_parts";

interface ResultProps {
  project: Project;
  audit: Audit;
  /** "90 %". */
  target: string;
  together: boolean;
  onTogether: (together: boolean) => void;
}

export function AuditResult({ project, audit, target, together, onTogether }: ResultProps) {
  if (audit.findings === null) return null;
  const { images: all, landmarks } = audit.findings;
  const remaining = audit.population - audit.size;
  return (
    <Card title={`Result of ${counted(audit.size, `audited ${audit.unit}`)}`}>
      <div class="stack">
        {audit.why_void !== "" && <p class="note warn">{asSentence(audit.why_void)}</p>}
        <div class={audit.why_void === "" ? "audit-verdict" : "audit-verdict void"}>
          <span class="audit-percent">{all.percent}</span>
          <p>
            <strong>{all.statement}</strong>{" "}
            <span class="muted">
              {audit.size - all.misses} of {counted(audit.size, audit.unit)} had every present
              landmark inside its region for {target}
              {audit.simultaneous ? ", all at once" : ""}.
            </span>
          </p>
        </div>
        <Table
          caption="What the audit found by landmark"
          rows={landmarks}
          keyOf={(row) => row.landmark ?? ""}
          columns={[
            { title: "Landmark", cell: (row) => row.landmark },
            { title: "Inside", number: true, cell: (row) => inside(audit, row) },
            { title: "Outside", number: true, cell: (row) => row.misses },
            { title: "Not visible", number: true, cell: (row) => row.absent },
            {
              title: `At least, of the other ${remaining}`,
              number: true,
              cell: (row) => <strong title={row.statement}>{row.percent}</strong>,
            },
          ]}
        />
        <Switch
          label="All statements together"
          checked={together}
          onChecked={onTogether}
          hint="Off: each statement is right with 95 % confidence by itself. On: with 95 % confidence all of them, that about images included, are right at once, and each is a little weaker."
        />
        <Missed project={project} finding={all} />
        <p class="muted small-text">
          An image in which a landmark is not visible or hidden counts as right for it. What must be
          true: {asSentence(audit.assumption)} The remaining images are those of the pool when the
          audit began.
        </p>
      </div>
    </Card>
  );
}

function inside(audit: Audit, finding: AuditFinding): number {
  return audit.size - finding.misses - finding.absent;
}

function Missed({ project, finding }: { project: Project; finding: AuditFinding }) {
  if (finding.missed.length === 0) return null;
  const byName = new Map(images.value.map((image) => [image.name, image.id]));
  return (
    <p>
      A landmark lay outside its region in{" "}
      {finding.missed.map((name, index) => (
        <>
          {index > 0 && ", "}
          {byName.has(name) ? (
            <a key={name} href={hrefOf("review", project.id, byName.get(name) ?? null)}>
              {name}
            </a>
          ) : (
            name
          )}
        </>
      ))}
      .
    </p>
  );
}
