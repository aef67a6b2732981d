// Names as people sort them: img2 before img10.
const collator = new Intl.Collator(undefined, { numeric: true });

export function byName(a: { name: string }, b: { name: string }): number {
  return collator.compare(a.name, b.name);
}
