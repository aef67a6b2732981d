// From what the page says in English to the language of who reads it.

interface Pattern {
  matches: RegExp;
  words: string;
  /** Letters that must be there: the more, the surer is the match. */
  weight: number;
}

/** Below this a pattern says so little that it may fit an unrelated sentence. */
const surelyMeant = 12;
const englishWords = /\b(the|and|are|were|or|by|is|that)\b/i;

/** Sentences in sentences in sentences, no further. */
const deepest = 4;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function patternOf([key, words]: [string, string]): Pattern {
  const parts = key.split("{}");
  const source = parts.map(escaped).join("(.+?)");
  return {
    matches: new RegExp(`^${source}$`, "s"),
    words,
    weight: parts.join("").length,
  };
}

/** Translates texts by a catalog; what is not in it stays as it is. */
export class Translator {
  private readonly exact: Map<string, string>;
  private readonly patterns: Pattern[];
  private readonly known = new Map<string, string>();

  constructor(catalog: Readonly<Record<string, string>>) {
    const entries = Object.entries(catalog);
    this.exact = new Map(entries.filter(([key]) => !key.includes("{}")));
    this.patterns = entries
      .filter(([key]) => key.includes("{}"))
      .map(patternOf)
      .sort((a, b) => b.weight - a.weight);
  }

  /** Spaces around the text, which JSX leaves beside elements, stay. */
  translate(text: string): string {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    const translated = this.within(text, 0);
    if (this.known.size > 20_000) this.known.clear();
    this.known.set(text, translated);
    return translated;
  }

  private within(text: string, depth: number): string {
    const words = text.trim();
    return words === "" ? text : text.replace(words, () => this.lookUp(words, depth));
  }

  private lookUp(words: string, depth: number): string {
    const exact = this.exact.get(words.replace(/\s+/g, " "));
    if (exact !== undefined) return exact;
    if (depth > deepest || !/[a-z]/i.test(words)) return words;
    for (const { matches, words: pattern, weight } of this.patterns) {
      const match = matches.exec(words);
      if (!match) continue;
      const places = match.slice(1).map((text) => this.within(text, depth + 1));
      // A sentence half in each language is worse than one in English.
      if (weight < surelyMeant && places.some((text) => englishWords.test(text))) continue;
      let next = 0;
      return pattern.replace(/\{\}/g, () => places[next++] ?? "");
    }
    return words;
  }
}
