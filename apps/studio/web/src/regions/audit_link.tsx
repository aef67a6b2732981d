// What an audit says of this project, or where to begin one.
import { project } from "../project";
import { hrefOf } from "../router";
import type { Audits } from "../types";
import { useAudits } from "./audits";
import { asSentence } from "./guarantee";

function wordsOf(audits: Audits): { text: string; link: string } {
  const last = audits.audits.filter((audit) => audit.state !== "discarded").at(-1);
  if (last === undefined) {
    return {
      text: "The guarantee is an average over samples. An audit bounds how many regions of this project are right.",
      link: "Audit this project",
    };
  }
  if (last.state === "open") {
    const { num_labeled, size } = last;
    return { text: `${num_labeled} of ${size} images are labeled.`, link: "Go on with the audit" };
  }
  const text = last.why_void === "" ? last.findings?.images.statement : asSentence(last.why_void);
  return { text: text ?? "", link: "See the audit" };
}

/** The section of the guarantee panel about this project alone. */
export function AuditSection() {
  const open = project.value;
  return open === null ? null : <AuditWords project={open.id} />;
}

function AuditWords({ project: id }: { project: number }) {
  const { audits } = useAudits(id, false, null);
  if (audits === null) return null;
  const { text, link } = wordsOf(audits);
  return (
    <section>
      <h3>In this project</h3>
      <p>
        {text} <a href={hrefOf("audit", id)}>{link}</a>
      </p>
    </section>
  );
}
