// How one looks at regions: kept while one goes from image to image.
import { computed, effect, signal } from "@preact/signals";
import { project } from "../../project";
import { type Alpha, parseAlpha, sameAlpha, sliderAlphas } from "../../regions/alpha";
import { status } from "../../regions/status";

export type ColorBy = "conformity" | "landmark";
export type QueueOrder = "worst" | "random";

export const colorBy = signal<ColorBy>("conformity");
export const showAll = signal(true);
export const order = signal<QueueOrder>("worst");

const fallback = parseAlpha("0.1") as Alpha;

/** What the guarantee is for: the project's target, or at planned looks a share of it. */
export const target = computed(
  () => parseAlpha(status.value?.guarantee.alpha ?? project.value?.settings.alpha ?? "") ?? fallback,
);

export const alphas = computed(() => sliderAlphas(target.value));

const chosen = signal<Alpha | null>(null);

/** The alpha that is looked at; the target until the slider is moved. */
export const alpha = computed(() => chosen.value ?? target.value);

export const exploring = computed(() => !sameAlpha(alpha.value, target.value));

/** The slider's position among `alphas`. */
export const alphaIndex = computed(() =>
  Math.max(
    0,
    alphas.value.findIndex((each) => sameAlpha(each, alpha.value)),
  ),
);

export function chooseAlpha(index: number): void {
  const last = alphas.value.length - 1;
  chosen.value = alphas.value[Math.max(0, Math.min(last, index))] ?? null;
}

export function backToTarget(): void {
  chosen.value = null;
}

let shown: string | null = null;

// An alpha explored in one project, or for another target, is not kept for the next.
effect(() => {
  const open = project.value;
  const now = open === null ? null : `${open.id} ${open.settings.alpha}`;
  if (now !== shown) chosen.value = null;
  shown = now;
});
