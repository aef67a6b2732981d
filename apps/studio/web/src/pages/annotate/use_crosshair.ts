// Placing by keyboard: a cross-hair that arrows move while no point is selected.
import type { MutableRef } from "preact/hooks";
import { useRef, useState } from "preact/hooks";
import type { StudioImage } from "../../types";
import type { Stage } from "../../viewer/stage";
import { onImage, type Position } from "../../viewer/view";

export type Reach = "fine" | "plain" | "far";

/** Steps on the screen, so that crossing a large photograph does not take a thousand keys. */
const steps: Record<Reach, number> = { fine: 0, plain: 8, far: 40 };

export function useCrosshair(stage: MutableRef<Stage | null>, image: StudioImage) {
  const [at, setAt] = useState<Position | null>(null);
  const last = useRef<Position | null>(null);
  last.current = at;
  const show = (next: Position) => {
    const inside = onImage(next, image);
    last.current = inside;
    setAt(inside);
    stage.current?.reveal(inside);
  };
  const start = () =>
    last.current ?? stage.current?.middle ?? { x: image.width / 2, y: image.height / 2 };
  return {
    at,
    /** Whole pixels of the original at least; fine steps are one of them. */
    move(dx: number, dy: number, reach: Reach) {
      const from = start();
      const step = Math.max(1, Math.round(steps[reach] / (stage.current?.scale ?? 1)));
      show({ x: from.x + step * dx, y: from.y + step * dy });
    },
    /** Shows it where it was last, or in the middle of what is seen. */
    show: () => show(start()),
    hide: () => setAt(null),
  };
}
