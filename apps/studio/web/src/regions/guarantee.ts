// What is guaranteed, in words that need no statistics.

import { counted } from "../counted";
import type { Status } from "../types";
import { type Alpha, confidencePercent, isFeasible, labelsNeeded, parseAlpha } from "./alpha";

/** How sure a reader may be; each has a color and a shape of its own, so that neither is needed. */
export type Tone = "design" | "trust" | "waiting" | "none" | "alarm";

export interface GuaranteeWords {
  readonly tone: Tone;
  readonly title: string;
  /** The title where there is little room. */
  readonly short: string;
  readonly sentence: string;
}

/** An average over the draw of the sample and of the image: among the images at hand the share
 *  varies with the draw, and is below the target in almost half of all projects. */
function coverageSentence(alpha: Alpha, simultaneous: boolean): string {
  const percent = confidencePercent(alpha);
  return simultaneous
    ? `All landmarks of an image lie in their regions at least ${percent} of the time, on average over samples.`
    : `A region contains its landmark at least ${percent} of the time, on average over samples.`;
}

function titleOf(alpha: Alpha, simultaneous: boolean): string {
  const percent = confidencePercent(alpha);
  return simultaneous
    ? `${percent} on average over samples, all landmarks`
    : `${percent} on average over samples`;
}

/** What an average leaves open, and what answers it. */
export const aboutThisProject =
  "With the one sample that was drawn, the share may be lower or higher. An audit measures it for this project.";

/** A part of a sentence as a whole one. A name at its beginning, in quotes or with a dot as files
 *  have, stays as it is. */
export function asSentence(text: string): string {
  const isName = /^(\S*\.\w+\b|[^:]*\.\w{2,5}: )/.test(text);
  const begun = isName ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return begun === "" || /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Labels until the next look, where some are there already. */
function labelsToGo(status: Status): number {
  const next = status.look.next ?? 0;
  return status.num_labeled === 0 ? 0 : Math.max(0, next - status.num_labeled);
}

// Before the labels are there nothing is wrong, only nothing there.
function noneWords(status: Status): GuaranteeWords {
  const { waiting, why_none } = status.guarantee;
  const more = waiting ? labelsToGo(status) : 0;
  return {
    tone: waiting ? "waiting" : "none",
    title:
      more > 0
        ? `${counted(more, "more label")} to go`
        : waiting
          ? "No guarantee yet"
          : "No guarantee",
    short: more > 0 ? `${more} to go` : "no guarantee",
    sentence: asSentence(why_none) || "No image is labeled yet.",
  };
}

function waitingWords(status: Status, alpha: Alpha): GuaranteeWords {
  // The server knows k as well, which takes k + 1 labels whatever the target.
  const stored = status.needs.find((need) => need.alpha === alpha.text)?.labels ?? 0;
  const needed = Math.max(labelsNeeded(alpha), stored);
  const more = Math.max(needed - status.n, 1);
  const images = counted(more, "more image");
  const isSampleTooSmall = status.sample_size < needed;
  return {
    tone: "waiting",
    title: `${counted(more, "more label")} to go`,
    short: `${more} to go`,
    sentence:
      (isFeasible(alpha, status.n)
        ? `With ${counted(status.n, "labeled image")} some landmarks have no regions yet. `
        : `With ${counted(status.n, "labeled image")} a target of ` +
          `${confidencePercent(alpha)} can only be met by regions that are the whole image. `) +
      (isSampleTooSmall ? `Draw and label ${images}.` : `Label ${images} of the sample.`),
  };
}

function alarmedWords(): GuaranteeWords {
  return {
    tone: "alarm",
    title: "Guarantee in doubt",
    short: "in doubt",
    sentence:
      "The labeled images do not look like a random order, which causes this alarm in at most " +
      "1 of 100 projects. Something may have changed on the way: look at the images where the chart climbs.",
  };
}

/** Why regions are larger than the target asks for. */
function lookSentence(status: Status): string {
  const { alpha, guaranteed_alpha } = status.guarantee;
  if (alpha === guaranteed_alpha) return "";
  return ` This is planned look ${status.look.number}: regions are those of alpha ${alpha}, and as you may stop at any look, the guarantee is for alpha ${guaranteed_alpha}.`;
}

function guaranteedWords(status: Status, alpha: Alpha): GuaranteeWords {
  const simultaneous = status.guarantee.kind === "simultaneous";
  const { holds_for } = status.guarantee;
  // That it is an average over samples, and what looks cost, is said elsewhere.
  const whom = holds_for.replace(/(, on average over the samples|; regions are those) .*$/, "");
  const holdsFor = (whom === "" ? "" : ` It holds for ${whom}.`) + lookSentence(status);
  const sentence = coverageSentence(alpha, simultaneous);
  const short = `${confidencePercent(alpha)} on average${simultaneous ? ", all" : ""}`;
  if (status.guarantee.by_design) {
    return {
      tone: "design",
      title: titleOf(alpha, simultaneous),
      short,
      sentence: sentence + holdsFor,
    };
  }
  const onTrust = " This is on trust: it depends on a condition that the studio cannot check.";
  return {
    tone: "trust",
    title: `${titleOf(alpha, simultaneous)}, on trust`,
    short: `${short}, if …`,
    sentence: sentence + onTrust + holdsFor,
  };
}

/** The alpha of the regions at hand, which is smaller than the target at planned looks. */
export function levelOf(status: Status, target: Alpha): Alpha {
  return parseAlpha(status.guarantee.alpha) ?? target;
}

/** The badge of a project whose target is `alpha`. */
export function guaranteeWords(status: Status, alpha: Alpha): GuaranteeWords {
  if (status.guarantee.kind === "none") return noneWords(status);
  if (status.alarm.raised) return alarmedWords();
  if (!status.feasible) return waitingWords(status, levelOf(status, alpha));
  return guaranteedWords(status, parseAlpha(status.guarantee.guaranteed_alpha) ?? alpha);
}

/** What the running coverage of reviewed images says, and what it does not. */
export function reviewedSentence(reviewed: Status["reviewed"]): string {
  if (reviewed.points === 0) return "Nothing reviewed yet.";
  const percent = ((100 * reviewed.covered) / reviewed.points).toFixed(1);
  return (
    `${reviewed.covered} of ${counted(reviewed.points, "reviewed point")} ` +
    `(${percent} %) lay inside their regions; in ${reviewed.images_covered} of ` +
    `${counted(reviewed.images, "image")} all did.`
  );
}

/** How far the wealth of the exchangeability test has come, in words. */
export function alarmSentence(alarm: Status["alarm"]): string {
  if (alarm.steps.length === 0) return "The check begins with the first labeled images.";
  const largest = 10 ** alarm.log10_largest;
  const shown = largest < 10 ? largest.toFixed(1) : String(Math.round(Math.min(largest, 1e9)));
  const found = `Highest so far: ${shown}.`;
  if (alarm.raised) {
    return (
      `${found} A random order would reach 100 in at most 1 of 100 projects. Ask what changed: ` +
      "another device, another clinic, another way of placing points."
    );
  }
  const sign =
    alarm.log10_largest < 1
      ? "No sign that the labeled images differ from each other over time."
      : "A weak sign that something changes over time; more labels will tell.";
  return `${found} The alarm is at 100, which a truly random order reaches in at most 1 of 100 projects. ${sign}`;
}
