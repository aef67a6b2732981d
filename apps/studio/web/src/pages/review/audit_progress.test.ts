import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project, StudioImage } from "../../types";
import { auditWords } from "./audit_progress";

type Sampling = Project["sampling"];

const drawn = { sampling: { kind: "random" } as Sampling };
const image = (audit: StudioImage["audit"], complete: boolean) => ({ audit, complete });

test("the review leads to an audit of the project", () => {
  const words = auditWords(drawn, [image("none", true), image("none", false)]);
  assert.equal(words?.link, "Audit this project");
});

test("an open audit says how far it is, whatever was audited before", () => {
  const images = [image("finished", true), image("open", true), image("open", false)];
  assert.deepEqual(auditWords(drawn, images), {
    link: "Go on with the audit",
    text: "1 of 2 images are labeled",
  });
});

test("a finished audit is there to be seen", () => {
  assert.equal(auditWords(drawn, [image("finished", true)])?.link, "See the audit");
});

test("only a project that drew its sample is audited", () => {
  assert.equal(auditWords({ sampling: { kind: "given" } as Sampling }, []), null);
});
