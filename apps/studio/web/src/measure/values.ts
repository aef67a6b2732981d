// Lengths and angles between landmarks, as apps/studio/store/measures computes them.
import type { Measure, Point } from "../types";

interface Vector {
  x: number;
  y: number;
}

function placeOf(points: readonly Point[], landmark: number): Vector | null {
  const point = points.find((one) => one.landmark === landmark);
  if (!point || point.x === null || point.y === null) return null;
  return { x: point.x, y: point.y };
}

const between = (from: Vector, to: Vector): Vector => ({ x: to.x - from.x, y: to.y - from.y });

function degreesBetween(a: Vector, b: Vector): number | null {
  const across = a.x * b.y - a.y * b.x;
  const along = a.x * b.x + a.y * b.y;
  if (across === 0 && along === 0) return null;
  return (Math.abs(Math.atan2(across, along)) * 180) / Math.PI;
}

/** In pixels or degrees; null where a landmark has no place. */
export function valueOf(measure: Measure, points: readonly Point[]): number | null {
  const at = measure.landmarks.map((landmark) => placeOf(points, landmark));
  if (at.some((one) => one === null)) return null;
  const [a, b, c, d] = at as Vector[];
  if (!a || !b) return null;
  if (measure.kind === "distance") return Math.hypot(b.x - a.x, b.y - a.y);
  if (!c) return null;
  return d
    ? degreesBetween(between(a, b), between(c, d))
    : degreesBetween(between(b, a), between(b, c));
}

/** As people read it: millimeters where the scale is known. */
export function valueText(measure: Measure, value: number | null, scale: number | null): string {
  if (value === null) return "–";
  if (measure.kind === "angle") return `${value.toFixed(1)}°`;
  return lengthText(value, scale);
}

/** A length with three digits that count: "24 px", "6.25 mm". */
export function lengthText(pixels: number, scale: number | null): string {
  const [value, unit] = scale === null ? [pixels, "px"] : [pixels * scale, "mm"];
  const digits = value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
  return `${scale === null && value >= 9.5 ? Math.round(value) : Number(value.toFixed(digits))} ${unit}`;
}
