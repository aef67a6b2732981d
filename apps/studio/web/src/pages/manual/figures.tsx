// The pictures of the manual, drawn so that they need no files and follow the colors of the page.
import type { ComponentChildren } from "preact";

function Figure(props: { title: string; width?: number; height: number; children: ComponentChildren }) {
  const { title, width = 640, height, children } = props;
  return (
    <svg
      class="manual-figure"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={title}
      preserveAspectRatio="xMidYMid meet"
    >
      {children}
    </svg>
  );
}

interface Place {
  x: number;
  y: number;
}

/** A face, 100 wide and 120 high. */
function Face({ x, y }: Place) {
  return (
    <g transform={`translate(${x} ${y})`} class="fig-face">
      <rect width={100} height={120} rx={6} class="fig-frame" />
      <ellipse cx={50} cy={62} rx={31} ry={43} class="fig-skin" />
      <circle cx={38} cy={52} r={4} class="fig-ink" />
      <circle cx={62} cy={52} r={4} class="fig-ink" />
      <path d="M50 56l-5 18h9" class="fig-line" />
      <path d="M38 86q12 8 24 0" class="fig-line" />
    </g>
  );
}

function Ring({ x, y, dashed }: Place & { dashed?: boolean }) {
  return (
    <circle
      cx={x}
      cy={y}
      r={8}
      class="fig-ring"
      stroke-dasharray={dashed ? "3 2.5" : undefined}
    />
  );
}

function Words({ x, y, children }: Place & { children: ComponentChildren }) {
  return (
    <text x={x} y={y} class="fig-words">
      {children}
    </text>
  );
}

export function SampleFigure() {
  const drawn = [1, 4, 5, 10];
  return (
    <Figure title="From all images some are drawn at random and labeled" height={170}>
      {Array.from({ length: 12 }, (_, index) => {
        const at = { x: 10 + (index % 6) * 52, y: 30 + Math.floor(index / 6) * 64 };
        const isDrawn = drawn.includes(index);
        return (
          <g key={index}>
            <rect
              x={at.x}
              y={at.y}
              width={44}
              height={54}
              rx={4}
              class={isDrawn ? "fig-frame chosen" : "fig-frame"}
            />
            <ellipse cx={at.x + 22} cy={at.y + 28} rx={13} ry={18} class="fig-skin" />
          </g>
        );
      })}
      <Words x={10} y={18}>
        all images; those with a border are drawn
      </Words>
      <path d="M340 92h60m-9 -7l9 7l-9 7" class="fig-arrow" />
      <Face x={430} y={30} />
      <Ring x={468} y={82} />
      <Ring x={492} y={82} />
      <Words x={430} y={18}>
        you label these
      </Words>
      <Words x={560} y={82}>
        without
      </Words>
      <Words x={560} y={98}>
        hints
      </Words>
    </Figure>
  );
}

export function LabelFigure() {
  return (
    <Figure title="Points are open rings; the selected one has a reticle" height={160}>
      <Face x={40} y={25} />
      <Ring x={78} y={77} />
      <Words x={160} y={70}>
        a placed point: its middle stays open
      </Words>
      <path d="M92 77h60" class="fig-pointer" />
      <Face x={400} y={25} />
      <Ring x={462} y={77} />
      <path d="M462 55v10M462 89v10M440 77h10M474 77h10" class="fig-reticle" />
      <Words x={520} y={70}>
        the selected
      </Words>
      <Words x={520} y={86}>
        point
      </Words>
    </Figure>
  );
}

export function QueueFigure() {
  return (
    <Figure title="Images under review: first empty regions, then doubtful proposals, then those that conform" height={190}>
      <Face x={30} y={30} />
      <rect x={60} y={70} width={16} height={16} class="fig-region empty" />
      <Ring x={68} y={78} dashed />
      <Words x={30} y={170}>
        1. no location conforms
      </Words>
      <Face x={250} y={30} />
      <path d="M270 62h48v16h16v32h-48v-16h-16z" class="fig-region doubtful" />
      <Ring x={300} y={84} dashed />
      <Words x={250} y={170}>
        2. doubtful
      </Words>
      <Face x={470} y={30} />
      <rect x={500} y={74} width={16} height={16} class="fig-region good" />
      <Ring x={508} y={82} dashed />
      <Words x={470} y={170}>
        3. conforms
      </Words>
    </Figure>
  );
}

export function GuaranteeFigure() {
  return (
    <Figure title="Nine of ten regions contain their landmark, on average" height={110}>
      {Array.from({ length: 10 }, (_, index) => {
        const x = 20 + index * 60;
        const misses = index === 6;
        return (
          <g key={index}>
            <rect x={x} y={34} width={40} height={40} class={misses ? "fig-region empty" : "fig-region good"} />
            <circle cx={misses ? x + 48 : x + 12 + ((index * 7) % 18)} cy={54 - ((index * 5) % 13)} r={4} class="fig-truth" />
          </g>
        );
      })}
      <Words x={20} y={20}>
        regions and true positions
      </Words>
      <Words x={20} y={98}>
        9 of 10 contain it, on average over samples
      </Words>
    </Figure>
  );
}

export function AcceptFigure() {
  return (
    <Figure title="Labeled images are divided: one half proposes, the other calibrates" height={130}>
      <rect x={20} y={36} width={130} height={50} rx={6} class="fig-frame chosen" />
      <Words x={34} y={66}>
        half: propose
      </Words>
      <rect x={160} y={36} width={130} height={50} rx={6} class="fig-frame" />
      <Words x={174} y={66}>
        half: calibrate
      </Words>
      <path d="M305 61h50m-9 -7l9 7l-9 7" class="fig-arrow" />
      <rect x={370} y={28} width={250} height={30} rx={4} class="fig-region good" />
      <Words x={384} y={48}>
        accepted, few are wrong
      </Words>
      <rect x={370} y={68} width={250} height={30} rx={4} class="fig-region doubtful" />
      <Words x={384} y={88}>
        left in the queue
      </Words>
    </Figure>
  );
}
