// How to look at the regions: alpha, guarantee, colors.
import { type Alpha, confidencePercent, isFeasible, parseAlpha } from "../../regions/alpha";
import type { ImageRegions } from "../../regions/image_regions";
import { conformitySteps } from "../../regions/conformity";
import { shareText, sideText } from "../../regions/region_size";
import { simultaneous, status } from "../../regions/status";
import { Button } from "../../components/button";
import type { Guarantee, StudioImage } from "../../types";
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

interface ControlsProps {
  regions: ImageRegions | null;
  image: StudioImage;
  /** Millimeters of a pixel; null: not known. */
  scale: number | null;
}

export function ReviewControls({ regions, image, scale }: ControlsProps) {
  return (
    <section class="review-controls" aria-label="How to look at the regions">
      <AlphaSlider />
      {regions !== null && (
        <MeanRegion regions={regions} image={image} scale={scale} />
      )}
      {regions !== null && <EmptyRegions count={regions.numEmpty(alpha.value)} />}
      {regions !== null && <ImageGuarantee guarantee={regions.guarantee} />}
      {colorBy.value === "conformity" && <ConformityLegend />}
      <details class="view-choices">
        <summary>View</summary>
        <KindChoice />
        <ShowChoice />
        <ColorChoice />
      </details>
    </section>
  );
}

/** How large the regions of this image are. */
function MeanRegion(props: Omit<ControlsProps, "regions"> & { regions: ImageRegions }) {
  const { regions, image, scale } = props;
  const area = regions.meanArea(alpha.value);
  const share = area / (image.width * image.height);
  return (
    <p class="muted small-text" data-testid="mean-region" data-area={Math.round(area)}>
      Average region {sideText(area, scale)}, {shareText(share)} of the image
    </p>
  );
}

/** Empty regions are the ones to check first, not the ones that are sure. */
function EmptyRegions({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p class="note bad">
      {count === 1
        ? "One region is empty: no location conforms. Check it first."
        : `${count} regions are empty: no location conforms. Check them first.`}
    </p>
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
      <input
        id="alpha-slider"
        type="range"
        min={0}
        max={alphas.value.length - 1}
        step={1}
        value={alphaIndex.value}
        aria-valuetext={`${percent}, alpha ${alpha.value.text}`}
        onInput={(event) => chooseAlpha(Number(event.currentTarget.value))}
      />
      <div class="alpha-ends" aria-hidden="true">
        <span>more certain</span>
        <span>smaller regions</span>
      </div>
      {!isFeasibleNow(alpha.value, n) && <Infeasible n={n} />}
      {exploring.value ? <Exploring /> : <LookNote />}
    </div>
  );
}

/** At planned looks regions are those of a part of alpha. */
function LookNote() {
  const known = status.value;
  const whole = parseAlpha(known?.guarantee.guaranteed_alpha ?? "");
  if (known === null || whole === null) return null;
  if (known.guarantee.alpha === known.guarantee.guaranteed_alpha) return null;
  return (
    <p class="muted small-text">
      Planned look {known.look.number}: alpha {known.guarantee.alpha}, so that stopping at any look
      keeps {confidencePercent(whole)}.
    </p>
  );
}

/** With weights, how far labels reach depends on the image; the server says what all allow. */
function isFeasibleNow(one: Alpha, n: number): boolean {
  const known = status.value;
  if (known === null || !known.weighted) return isFeasible(one, n);
  return one.numerator / one.denominator >= known.smallest_feasible_alpha;
}

function Infeasible({ n }: { n: number }) {
  const first = alphas.value.find((one) => isFeasibleNow(one, n));
  return (
    <p class="note warn">
      {n} labels are too few for this: every region is the whole image.{" "}
      {first ? `At ${confidencePercent(first)} (alpha ${first.text}) or less, regions are smaller.` : ""}
    </p>
  );
}

function Exploring() {
  return (
    <div class="note">
      <p>
        <strong>Exploring.</strong> The guarantee holds for regions at alpha {target.value.text},
        which was fixed beforehand.
      </p>
      <Button onClick={backToTarget}>Back to {confidencePercent(target.value)}</Button>
    </div>
  );
}

/** Says where an image has less of a guarantee than its project. */
function ImageGuarantee({ guarantee }: { guarantee: Guarantee }) {
  const whole = status.value?.guarantee;
  if (whole === undefined || whole.kind === "none") return null;
  if (guarantee.kind === "none") {
    return <p class="note warn">No guarantee for this image: {guarantee.why_none}.</p>;
  }
  if (guarantee.by_design || !whole.by_design) return null;
  return (
    <p class="note warn">On trust for this image: the guarantee is for {guarantee.holds_for}.</p>
  );
}

interface Choice<Value> {
  value: Value;
  text: string;
}

interface ChoicesProps<Value> {
  label: string;
  choices: Choice<Value>[];
  value: Value;
  onValue: (value: Value) => void;
}

/** A few values of which one holds, as buttons in a row. */
function Choices<Value>({ label, choices, value, onValue }: ChoicesProps<Value>) {
  return (
    <div class="choices" role="group" aria-label={label}>
      <span class="muted">{label}</span>
      {choices.map((choice) => (
        <Button
          key={choice.text}
          aria-pressed={choice.value === value}
          onClick={() => onValue(choice.value)}>
          {choice.text}
        </Button>
      ))}
    </div>
  );
}

function KindChoice() {
  const choices = [
    { value: false, text: "each one" },
    { value: true, text: "all together" },
  ];
  return (
    <Choices
      label="Regions for"
      choices={choices}
      value={simultaneous.value}
      onValue={(value) => (simultaneous.value = value)}
    />
  );
}

function ShowChoice() {
  const choices = [
    { value: true, text: "all regions" },
    { value: false, text: "selected" },
  ];
  return (
    <Choices
      label="Show"
      choices={choices}
      value={showAll.value}
      onValue={(value) => (showAll.value = value)}
    />
  );
}

function ColorChoice() {
  const choices: Choice<ColorBy>[] = [
    { value: "conformity", text: "conformity" },
    { value: "landmark", text: "landmark" },
  ];
  return (
    <Choices
      label="Color by"
      choices={choices}
      value={colorBy.value}
      onValue={(value) => (colorBy.value = value)}
    />
  );
}

/** How well the proposal conforms, from not at all to well. */
function ConformityLegend() {
  return (
    <ul class="size-legend" aria-label="How well proposals conform, by color">
      {conformitySteps.map((step) => (
        <li key={step.kind}>
          <svg width="16" height="12" aria-hidden="true">
            <rect width="16" height="12" rx="2" fill={step.color} />
          </svg>
          {step.label}
        </li>
      ))}
    </ul>
  );
}
