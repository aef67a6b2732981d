// Choosing how many images to audit, before anything is known.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { counted } from "../../counted";
import { reloadProject } from "../../project";
import { asSentence } from "../../regions/guarantee";
import type { AuditOffer, Audits, Project } from "../../types";
import { Card, Failure, useCall } from "../../components/page_parts";

interface BeginProps {
  project: Project;
  audits: Audits;
  /** Whether there was a finished one before. */
  again: boolean;
  /** Tells which size is thought of, so that it is among the offers. */
  onSize: (size: number | null) => void;
  onAudits: (audits: Audits) => void;
}

const suggested = 30;

export function BeginAudit({ project, audits, again, onSize, onAudits }: BeginProps) {
  const typed = useSignal<string | null>(null);
  const asking = useSignal(false);
  const text = typed.value ?? String(Math.min(suggested, audits.largest));
  const size = Number(text);
  const valid = Number.isInteger(size) && size >= 1 && size <= audits.largest;
  const change = (value: string) => {
    typed.value = value;
    const number = Number(value);
    onSize(Number.isInteger(number) && number >= 1 ? number : null);
  };
  if (audits.why_none !== "") {
    return (
      <Card title={again ? "Another audit" : "Begin an audit"}>
        <p class="note warn">{asSentence(audits.why_none)}</p>
        {!again && <How />}
      </Card>
    );
  }
  return (
    <Card title={again ? "Another audit" : "Begin an audit"}>
      <div class="sample-columns">
        <div class="stack">
          <How />
          {again && (
            <p class="note warn">
              {counted(audits.audits.length, "audit")} of this project{" "}
              {audits.audits.length === 1 ? "was" : "were"} begun before, and the result will say
              so. Its confidence of {percentOf(audits.confidence)} is for a single audit: if you
              repeat audits until one looks good, it is lost. Report all of them.
            </p>
          )}
          <form
            class="row draw-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (valid) asking.value = true;
            }}>
            <TextField
              label={`How many of the next ${audits.population}?`}
              type="number"
              min={1}
              max={audits.largest}
              value={text}
              onText={change}
            />
            <Button kind="primary" type="submit" disabled={!valid}>
              Begin …
            </Button>
          </form>
          {audits.largest < audits.population && (
            <p class="muted">
              At most {audits.largest}: the image that follows was removed, or its regions were
              shown.
            </p>
          )}
        </div>
        <OfferTable audits={audits} chosen={valid ? size : 0} />
      </div>
      {asking.value && (
        <ConfirmBegin
          project={project}
          size={size}
          onAudits={onAudits}
          onClose={() => (asking.value = false)}
        />
      )}
    </Card>
  );
}

function How() {
  return (
    <p>
      The studio takes the <strong>next images of the random order</strong>. You label them{" "}
      <strong>without hints</strong>, as you did with the sample. Then it counts how many regions
      contain your point and says what follows for the images that are not labeled. Do it{" "}
      <strong>before the review</strong>: images whose regions were seen cannot be audited.
    </p>
  );
}

/** "95 %" from "0.95". */
function percentOf(confidence: string): string {
  return `${Math.round(10_000 * Number(confidence)) / 100} %`;
}

/** What audits of these sizes show. */
function OfferTable({ audits, chosen }: { audits: Audits; chosen: number }) {
  if (audits.offers.length === 0) return null;
  return (
    <table class="label-table offer-table">
      <caption>
        At least so many of the remaining regions are right, with {percentOf(audits.confidence)}{" "}
        confidence
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            images
          </th>
          <th scope="col" class="number">
            no miss
          </th>
          <th scope="col" class="number">
            1 miss
          </th>
          <th scope="col" class="number">
            2 misses
          </th>
        </tr>
      </thead>
      <tbody>
        {audits.offers.map((offer) => (
          <OfferRow key={offer.size} offer={offer} chosen={offer.size === chosen} />
        ))}
      </tbody>
    </table>
  );
}

function OfferRow({ offer, chosen }: { offer: AuditOffer; chosen: boolean }) {
  return (
    <tr class={chosen ? "target" : ""}>
      <td class="number">{offer.size}</td>
      {[0, 1, 2].map((misses) => (
        <td key={misses} class="number">
          {offer.percents[misses] ?? "–"}
        </td>
      ))}
    </tr>
  );
}

interface ConfirmBeginProps {
  project: Project;
  size: number;
  onAudits: (audits: Audits) => void;
  onClose: () => void;
}

function ConfirmBegin({ project, size, onAudits, onClose }: ConfirmBeginProps) {
  const call = useCall();
  const begin = () =>
    call.run(async () => {
      onAudits(await api.beginAudit(project.id, size));
      await reloadProject();
      onClose();
    });
  const actions = (
    <>
      <Button onClick={onClose}>Not yet</Button>
      <Button kind="primary" disabled={call.busy.value} onClick={begin}>
        Begin the audit
      </Button>
    </>
  );
  return (
    <Dialog
      title={`Audit the next ${counted(size, "image")}?`}
      onClose={onClose}
      actions={actions}>
      <p>
        The number is fixed from now on, and so are the regions: if points of the sample, landmarks
        or settings change before the end, the audit is void. The sample cannot grow afterwards, as
        these images come next in its order.
      </p>
      <Failure text={call.failure.value} />
    </Dialog>
  );
}
