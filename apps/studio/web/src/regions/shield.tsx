// A sign for each tone: the shape alone says it, for those who see no colors.
import type { Tone } from "./guarantee";

const marks: Record<Tone, string> = {
  design: "M7 12.5l3.5 3.5L17 9",
  trust: "M12 7.5v5.5M12 16.4v.2",
  waiting: "M12 8v4.5l3 2",
  none: "M8 8l8 8M16 8l-8 8",
  alarm: "M12 7v6M12 16.4v.2",
};

const shieldPath = "M12 2l8 3v6.5c0 5-3.4 8.6-8 10.5-4.6-1.9-8-5.5-8-10.5V5z";
const circlePath = "M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19z";
const trianglePath = "M12 2.5l10.2 18.5H1.8z";

const outlines: Record<Tone, string> = {
  design: shieldPath,
  trust: shieldPath,
  waiting: circlePath,
  none: circlePath,
  alarm: trianglePath,
};

/** The sign of a tone; words beside it say the same. */
export function Shield({ tone, size = 22 }: { tone: Tone; size?: number }) {
  return (
    <svg
      class={`shield tone-${tone}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true">
      <path class="shield-body" d={outlines[tone]} />
      <path class="shield-mark" d={marks[tone]} />
    </svg>
  );
}
