// How to look at the regions: alpha, promise, colours.
import { confidencePercent, firstFeasible, isFeasible } from "../regions/alpha";
import type { ImageRegions } from "../regions/image_regions";
import { sizeSteps } from "../regions/size_scale";
import { simultaneous, status } from "../regions/status";
import { Switch } from "../components/field";
import { Button } from "../components/button";
import {
  type ColorBy,
  alpha,
  alphaIndex,
  alphas,
  backToTarget,
  chooseAlpha,
  colorBy,
  exploring,
  showAll,
  target,
} from "./review_state";

export function ReviewControls({ regions }: { regions: ImageRegions | null }) {
  return (
    <section class="review-controls" aria-label="How to look at the regions">
      <AlphaSlider />
      {regions !== null && (
        <p class="muted small-text">
          {regions.totalSize(alpha.value)} patches in {regions.proposals.size} regions of this image
        </p>
      )}
      <Switch label="All landmarks at once" checked={simultaneous.value}
        onChecked={(checked) => (simultaneous.value = checked)} />
      <Switch label="Show all regions" checked={showAll.value} onChecked={(checked) => (showAll.value = checked)} />
      <ColorChoice />
    </section>
  );
}

function AlphaSlider() {
  const n = status.value?.n ?? 0;
  const percent = confidencePercent(alpha.value);
  return (
    <div class="alpha-slider">
      <label for="alpha-slider">
        <strong>{percent}</strong> <span class="muted">alpha {alpha.value.text}</span>
      </label>
      <input id="alpha-slider" type="range" min={0} max={alphas.value.length - 1} step={1} value={alphaIndex.value}
        aria-valuetext={`${percent}, alpha ${alpha.value.text}`}
        onInput={(event) => chooseAlpha(Number(event.currentTarget.value))} />
      <div class="alpha-ends" aria-hidden="true">
        <span>surer, larger</span>
        <span>smaller</span>
      </div>
      {!isFeasible(alpha.value, n) && <Infeasible n={n} />}
      {exploring.value && <Exploring />}
    </div>
  );
}

function Infeasible({ n }: { n: number }) {
  const first = alphas.value[firstFeasible(alphas.value, n)];
  return (
    <p class="note warn">
      {n} labels are too few for this: every patch is in every region.{" "}
      {first ? `From ${confidencePercent(first)} (alpha ${first.text}) on, regions say something.` : ""}
    </p>
  );
}

function Exploring() {
  return (
    <div class="note">
      <p>
        <strong>Exploring.</strong> The promise is for the target that was fixed, {confidencePercent(target.value)}.
      </p>
      <Button onClick={backToTarget}>Back to {confidencePercent(target.value)}</Button>
    </div>
  );
}

function ColorChoice() {
  const choices: { value: ColorBy; text: string }[] = [
    { value: "size", text: "size of region" },
    { value: "landmark", text: "landmark" },
  ];
  return (
    <div class="color-choice">
      <div class="row" role="group" aria-label="Colour by">
        <span class="muted">Colour by</span>
        {choices.map(({ value, text }) => (
          <Button key={value} aria-pressed={colorBy.value === value} onClick={() => (colorBy.value = value)}>
            {text}
          </Button>
        ))}
      </div>
      {colorBy.value === "size" && <SizeLegend />}
    </div>
  );
}

/** Patches in a region, from few (light) to many (dark). */
function SizeLegend() {
  return (
    <ul class="size-legend" aria-label="Patches in a region, by colour">
      {sizeSteps.map((step) => (
        <li key={step.label}>
          <svg width="22" height="12" aria-hidden="true">
            <rect width="22" height="12" rx="2" fill={step.color} />
          </svg>
          {step.label}
        </li>
      ))}
    </ul>
  );
}
