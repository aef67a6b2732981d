// Planned looks: sizes of the sample at which one may look and stop, fixed before anything is seen.
import { TextField } from "../../components/field";
import {
  type Alpha,
  confidencePercent,
  isFeasible,
  labelsNeeded,
  parseAlpha,
  shareOf,
} from "../../regions/alpha";
import type { Project } from "../../types";
import { looksError, parseLooks } from "./looks_text";

interface LooksProps {
  project: Project;
  text: string;
  most: number;
  onText: (text: string) => void;
}

export function PlannedLooks({ project, text, most, onText }: LooksProps) {
  const sizes = parseLooks(text, most) ?? [];
  const alpha = parseAlpha(project.settings.alpha);
  const share = alpha === null || sizes.length === 0 ? null : shareOf(alpha, sizes.length);
  return (
    <details class="more">
      <summary>Plan looks, to stop early with the guarantee</summary>
      <div class="stack">
        <p>
          The guarantee is for the number of images fixed now: whether to label more must not depend
          on how regions look. To decide by their look, plan now when you will look, such as at 20
          and 40 images. You may stop at any of these looks and keep the guarantee. The price is
          larger regions, as the allowed misses are divided among the looks.
        </p>
        <TextField
          label="Look when so many are labeled"
          value={text}
          placeholder="20, 40"
          onText={onText}
          error={looksError(text, most) || null}
          hint="The last number is the size of the sample."
        />
        {alpha !== null && share !== null && sizes.length > 1 && (
          <LooksTable sizes={sizes} share={share} alpha={alpha} />
        )}
      </div>
    </details>
  );
}

function LooksTable({ sizes, share, alpha }: { sizes: number[]; share: Alpha; alpha: Alpha }) {
  return (
    <>
      <ul class="looks">
        {sizes.map((size, index) => (
          <li key={size}>
            Look {index + 1}: {size} images, regions at alpha {share.text}
            {!isFeasible(share, size) && ` (too few: it takes ${labelsNeeded(share)})`}
          </li>
        ))}
      </ul>
      <p class="muted">
        At whichever you stop: {confidencePercent(alpha)} on average over samples. Regions are
        larger than with one look.
      </p>
    </>
  );
}
