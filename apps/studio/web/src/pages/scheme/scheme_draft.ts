// A landmark scheme while it is edited: values in, values out.
import { colorAt } from "../../palette";

/** One landmark of the draft. `key` tells rows apart that have no id yet. */
export interface DraftLandmark {
  readonly key: string;
  readonly id?: number;
  readonly name: string;
  readonly color: string;
  readonly pair: string | null;
}

export type Draft = readonly DraftLandmark[];

let lastKey = 0;

function newKey(): string {
  lastKey += 1;
  return `new-${lastKey}`;
}

function otherSide(name: string): string | null {
  const swaps: [RegExp, string][] = [
    // Underscores part words here, which \b does not know.
    [/(?<![a-z])left(?![a-z])/i, "right"],
    [/(?<![a-z])right(?![a-z])/i, "left"],
    [/(^|[_\-. ])L($|[_\-. \d])/, "R"],
    [/(^|[_\-. ])R($|[_\-. \d])/, "L"],
  ];
  for (const [pattern, other] of swaps) {
    if (!pattern.test(name)) continue;
    return name.replace(pattern, (whole) => whole.replace(/left|right|L|R/i, other));
  }
  return null;
}

/** Pairs landmarks that are called alike but for left and right and have no pair yet. */
export function withGuessedPairs(draft: Draft): Draft {
  const names = new Map(draft.map((row) => [row.name.toLowerCase(), row.name]));
  return draft.map((row) => {
    const other = row.pair === null ? otherSide(row.name) : null;
    const found = other === null ? undefined : names.get(other.toLowerCase());
    return found === undefined || found === row.name ? row : { ...row, pair: found };
  });
}

/** Adds landmarks by name; names that are there already or twice are left out. */
export function withAdded(draft: Draft, names: readonly { name: string; color?: string }[]): Draft {
  const taken = new Set(draft.map((row) => row.name));
  const added: DraftLandmark[] = [];
  for (const { name, color } of names) {
    if (name === "" || taken.has(name)) continue;
    taken.add(name);
    added.push({
      key: newKey(),
      name,
      color: color ?? colorAt(draft.length + added.length),
      pair: null,
    });
  }
  return [...draft, ...added];
}

/** The names of a pasted list: one a line, numbering such as "1. " or "- " left out. */
export function namesOfList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:\d+[.):]\s+|[-*•]\s+)/, "").trim())
    .filter((line) => line !== "");
}

/** The row at `from` moved to `to`. */
export function moved(draft: Draft, from: number, to: number): Draft {
  const target = Math.max(0, Math.min(draft.length - 1, to));
  const row = draft[from];
  if (row === undefined || target === from) return draft;
  const rest = draft.filter((_, index) => index !== from);
  return [...rest.slice(0, target), row, ...rest.slice(target)];
}

/** One row changed; who was paired with it follows its new name. */
export function renamed(draft: Draft, index: number, name: string): Draft {
  const before = draft[index]?.name;
  return draft.map((row, at) => {
    if (at === index) return { ...row, name };
    return row.pair !== null && row.pair === before ? { ...row, pair: name } : row;
  });
}

export function recolored(draft: Draft, index: number, color: string): Draft {
  return draft.map((row, at) => (at === index ? { ...row, color } : row));
}

/** Pairs two landmarks with each other, and both with no other. */
export function paired(draft: Draft, index: number, other: string | null): Draft {
  const self = draft[index]?.name;
  return draft.map((row, at) => {
    if (at === index) return { ...row, pair: other };
    if (other !== null && row.name === other) return { ...row, pair: self ?? null };
    const lost = row.pair === self || (other !== null && row.pair === other);
    return lost ? { ...row, pair: null } : row;
  });
}

export function without(draft: Draft, index: number): Draft {
  const gone = draft[index]?.name;
  return draft
    .filter((_, at) => at !== index)
    .map((row) => (row.pair === gone ? { ...row, pair: null } : row));
}

/** What forbids storing the draft, or null. */
export function problemOf(draft: Draft): string | null {
  const seen = new Set<string>();
  for (const [index, row] of draft.entries()) {
    const name = row.name.trim();
    if (name === "") return `Landmark ${index + 1} has no name.`;
    if (seen.has(name)) return `Two landmarks are called "${name}".`;
    seen.add(name);
  }
  return null;
}

export function sameDraft(a: Draft, b: Draft): boolean {
  return (
    a.length === b.length &&
    a.every((row, index) => {
      const other = b[index] as DraftLandmark;
      return (
        row.id === other.id &&
        row.name === other.name &&
        row.color === other.color &&
        row.pair === other.pair
      );
    })
  );
}
