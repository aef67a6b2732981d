// Colors that color-blind people tell apart (Okabe and Ito), and signs that need no color.

export const palette = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#f0e442",
] as const;

/** The color of the landmark at this place of the scheme, where none was chosen. */
export function colorAt(index: number): string {
  return palette[index % palette.length] ?? palette[0];
}

export type Shape = "circle" | "square" | "triangle" | "diamond" | "cross";
const shapes: Shape[] = ["circle", "square", "triangle", "diamond", "cross"];

/** Five shapes against seven colors: 35 landmarks in a row differ in one of the two. */
export function shapeAt(index: number): Shape {
  return shapes[index % shapes.length] ?? "circle";
}
