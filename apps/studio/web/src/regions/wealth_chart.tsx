// The exchangeability test as a line: the wealth of a bet against a random order.
import type { Status } from "../types";

const width = 320;
const height = 120;
const margin = { left: 38, right: 8, top: 8, bottom: 20 };

type Steps = Status["alarm"]["steps"];

interface Scale {
  x: (index: number) => number;
  y: (log10: number) => number;
  from: number;
  to: number;
}

function scaleOf(steps: Steps): Scale {
  const values = steps.map((step) => step.log10_wealth);
  const from = Math.floor(Math.min(-1, ...values));
  const to = Math.ceil(Math.max(2.5, ...values));
  const innerWidth = width - margin.left - margin.right;
  const innerHeight = height - margin.top - margin.bottom;
  return {
    from,
    to,
    x: (index) => margin.left + (innerWidth * index) / Math.max(steps.length, 1),
    y: (log10) => margin.top + (innerHeight * (to - log10)) / (to - from),
  };
}

function pathOf(steps: Steps, scale: Scale): string {
  const begin = `M${scale.x(0)} ${scale.y(0)}`;
  return (
    begin + steps.map((step, i) => `L${scale.x(i + 1)} ${scale.y(step.log10_wealth)}`).join("")
  );
}

function tickLabel(log10: number): string {
  return Math.abs(log10) <= 3 ? String(10 ** log10) : `1e${log10}`;
}

function ticksOf(scale: Scale): number[] {
  const every = Math.ceil((scale.to - scale.from) / 4);
  const all = Array.from(
    { length: Math.floor(scale.to - scale.from) + 1 },
    (_, i) => scale.from + i,
  );
  return all.filter((tick) => tick % every === 0 && tick !== 2);
}

/** A line per labeled image on a logarithmic scale, with the alarm at 100. */
export function WealthChart({ alarm }: { alarm: Status["alarm"] }) {
  const scale = scaleOf(alarm.steps);
  const right = width - margin.right;
  const spoken = `Evidence against a random order after ${alarm.steps.length} images; highest ${(10 ** alarm.log10_largest).toFixed(1)}, alarm at 100.`;
  return (
    <svg class="wealth-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={spoken}>
      {ticksOf(scale).map((tick) => (
        <g key={tick}>
          <line class="tick" x1={margin.left} x2={right} y1={scale.y(tick)} y2={scale.y(tick)} />
          <text x={margin.left - 5} y={scale.y(tick) + 3} text-anchor="end">
            {tickLabel(tick)}
          </text>
        </g>
      ))}
      <line class="limit" x1={margin.left} x2={right} y1={scale.y(2)} y2={scale.y(2)} />
      <text class="limit-label" x={margin.left - 5} y={scale.y(2) + 3} text-anchor="end">
        100
      </text>
      <path class={alarm.raised ? "wealth raised" : "wealth"} d={pathOf(alarm.steps, scale)} />
      <text x={(margin.left + right) / 2} y={height - 5} text-anchor="middle">
        images in the order of the draw
      </text>
    </svg>
  );
}
