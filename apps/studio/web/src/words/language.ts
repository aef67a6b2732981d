// The language of the page: texts are written in English where they are shown, and exchanged by the
// catalog when elements are made.
import { options, type VNode } from "preact";
import { german } from "./german";
import { Translator } from "./translate";

export type Language = "en" | "de";

const key = "caos.language";

function remembered(): Language {
  try {
    const stored = localStorage.getItem(key);
    if (stored === "en" || stored === "de") return stored;
  } catch {
    // A browser that keeps nothing still tells its own language.
  }
  return navigator.language.startsWith("de") ? "de" : "en";
}

export const language: Language = remembered();

/** Shows the page again, in this language. */
export function speak(next: Language): void {
  try {
    localStorage.setItem(key, next);
  } catch {
    return;
  }
  location.reload();
}

const attributes = ["title", "aria-label", "placeholder", "alt", "aria-valuetext"] as const;

/** Elements whose text is the user's own: names of files, landmarks and people. */
const ownWords =
  /\b(brand-name|strip-name|queue-name|image-name|toolbar-name|review-name-text|who-name|point-name|landmark-name)\b/;

function translateElement(props: Record<string, unknown>, translator: Translator): void {
  for (const name of attributes) {
    const value = props[name];
    if (typeof value === "string") props[name] = translator.translate(value);
  }
  const own = props["translate"] === false || ownWords.test(String(props["class"] ?? ""));
  if (own) return;
  const { children } = props;
  if (typeof children === "string") props["children"] = translator.translate(children);
  else if (Array.isArray(children)) {
    props["children"] = children.map((one: unknown) =>
      typeof one === "string" ? translator.translate(one) : one,
    );
  }
}

/** Called once, before anything is shown. */
export function startLanguage(): void {
  document.documentElement.lang = language;
  if (language === "en") return;
  const translator = new Translator(german);
  const before = options.vnode;
  options.vnode = (node: VNode) => {
    if (typeof node.type === "string") {
      translateElement(node.props as Record<string, unknown>, translator);
    }
    before?.(node);
  };
}
