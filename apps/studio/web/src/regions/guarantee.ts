// What is promised, in words that need no statistics.

import { counted } from "../counted";
import type { Status } from "../types";
import { type Alpha, confidencePercent, isFeasible, labelsNeeded } from "./alpha";

/** How sure a reader may be; each has a colour and a shape of its own, so that neither is needed. */
export type Tone = "design" | "trust" | "waiting" | "none" | "alarm";

export interface GuaranteeWords {
  readonly tone: Tone;
  readonly title: string;
  /** The title where there is little room. */
  readonly short: string;
  readonly sentence: string;
}

/** A chance, over the draw of the sample and of the image: among the images at hand the share that
 *  holds varies with the draw, and may well be a little less. */
function coverageSentence(alpha: Alpha, simultaneous: boolean): string {
  const percent = confidencePercent(alpha);
  return simultaneous
    ? `With a chance of at least ${percent}, every landmark of an image lies inside its region, all at once.`
    : `For each landmark, the chance that its region holds the true place is at least ${percent}.`;
}

function titleOf(alpha: Alpha, simultaneous: boolean): string {
  const percent = confidencePercent(alpha);
  return simultaneous
    ? `At least ${percent} of images, all landmarks`
    : `At least ${percent} of landmarks`;
}

/** A part of a sentence as a whole one. */
export function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun === "" || /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

// Before the first labels there is nothing wrong yet, only nothing there.
function isBeginning(status: Status): boolean {
  return status.num_labeled === 0 || status.embedding.done < status.embedding.total;
}

function noneWords(status: Status): GuaranteeWords {
  const early = isBeginning(status);
  return {
    tone: early ? "waiting" : "none",
    title: early ? "No guarantee yet" : "No guarantee",
    short: "no guarantee",
    sentence: asSentence(status.promise.why_none) || "There is nothing to stand on yet.",
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
        ? `With ${counted(status.n, "labelled image")} some landmarks have no regions yet. `
        : `With ${counted(status.n, "labelled image")} a target of ` +
          `${confidencePercent(alpha)} can only be kept by regions that are the whole image. `) +
      (isSampleTooSmall ? `Draw and label ${images}.` : `Label ${images} of the sample.`),
  };
}

function alarmedWords(): GuaranteeWords {
  return {
    tone: "alarm",
    title: "Guarantee in doubt",
    short: "in doubt",
    sentence:
      "The labelled images do not look like a random order; by chance alone that happens in at most " +
      "1 of 100 projects. Something may have changed on the way: look at the images where the chart climbs.",
  };
}

function promisedWords(status: Status, alpha: Alpha): GuaranteeWords {
  const simultaneous = status.promise.kind === "simultaneous";
  const { holds_for } = status.promise;
  const holdsFor = holds_for === "" ? "" : ` It holds for ${holds_for}.`;
  const sentence = coverageSentence(alpha, simultaneous);
  const short = `≥ ${confidencePercent(alpha)}${simultaneous ? ", all" : ""}`;
  if (status.promise.by_design) {
    return {
      tone: "design",
      title: titleOf(alpha, simultaneous),
      short,
      sentence: sentence + holdsFor,
    };
  }
  const onTrust = " This is taken on trust: it stands on what this project has not seen to itself.";
  return {
    tone: "trust",
    title: `${titleOf(alpha, simultaneous)}, on trust`,
    short: `${short}, if …`,
    sentence: sentence + onTrust + holdsFor,
  };
}

/** The badge of a project whose target is `alpha`. */
export function guaranteeWords(status: Status, alpha: Alpha): GuaranteeWords {
  if (status.promise.kind === "none") return noneWords(status);
  if (status.alarm.raised) return alarmedWords();
  if (!status.feasible) return waitingWords(status, alpha);
  return promisedWords(status, alpha);
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
  if (alarm.steps.length === 0) return "The check begins with the first labelled images.";
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
      ? "No sign that the labelled images differ from each other over time."
      : "A weak sign that something changes over time; more labels will tell.";
  return `${found} The alarm is at 100, which a truly random order reaches in at most 1 of 100 projects. ${sign}`;
}
