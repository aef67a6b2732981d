// Planned looks as the user types them.

/** The growing sizes that a text lists, "20, 40"; none for an empty one, null where it is wrong. */
export function parseLooks(text: string, most: number): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const sizes = parts.map(Number);
  const grow = sizes.every(
    (size, index) => Number.isInteger(size) && size > (index === 0 ? 0 : (sizes[index - 1] ?? 0)),
  );
  return grow && sizes.length <= 20 && (sizes.at(-1) ?? 0) <= most ? sizes : null;
}

/** Why looks cannot be planned so; empty: they can. */
export function looksError(text: string, most: number): string {
  return parseLooks(text, most) === null
    ? `List growing numbers, the last at most ${most}, such as 20, 40.`
    : "";
}
