import type { Shape } from "../../palette";

const paths: Record<Shape, string> = {
  circle: "M10 3.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0 -13z",
  square: "M4.5 4.5h11v11h-11z",
  triangle: "M10 2.5l7.5 13h-15z",
  diamond: "M10 2l8 8l-8 8l-8 -8z",
  cross: "M4 4l4 4M12 12l4 4M16 4l-4 4M8 12l-4 4",
};

/** The landmark's sign as it is drawn on the image. */
export function Swatch({ shape, color, filled }: { shape: Shape; color: string; filled: boolean }) {
  return (
    <svg class="swatch" viewBox="0 0 20 20" width={20} height={20} aria-hidden="true">
      <path
        d={paths[shape]}
        fill={filled && shape !== "cross" ? color : "none"}
        stroke={color}
        stroke-width={filled ? 2.5 : 2}
        stroke-linejoin="round"
        stroke-dasharray={filled ? undefined : "2.5 2.5"}
      />
    </svg>
  );
}
