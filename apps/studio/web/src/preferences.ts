// What this browser remembers of the person who works in it.
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

function remembered(key: string, otherwise: string): string {
  try {
    return localStorage.getItem(key) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing still works; it only forgets.
  }
}

/** The name under which this person's points are kept; empty until it was asked for. */
export const annotator = signal(remembered("caos.annotator", ""));
export const theme = signal<Theme>(remembered("caos.theme", "system") as Theme);

effect(() => remember("caos.annotator", annotator.value));
effect(() => {
  remember("caos.theme", theme.value);
  // The style sheet follows the system unless this says otherwise.
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});

const asking = signal(false);
let answered: ((name: string | null) => void)[] = [];

/** Whether the dialog that asks for the name is open (src/components/name_dialog.tsx). */
export const askingName = asking;

/** The annotator's name; asks for it where it is not known, null if it is not given. */
export function requireName(): Promise<string | null> {
  if (annotator.value !== "") return Promise.resolve(annotator.value);
  asking.value = true;
  return new Promise((resolve) => answered.push(resolve));
}

/** The dialog's answer. */
export function answerName(name: string | null): void {
  if (name !== null && name.trim() !== "") annotator.value = name.trim();
  asking.value = false;
  const waiting = answered;
  answered = [];
  for (const resolve of waiting) resolve(annotator.value === "" ? null : annotator.value);
}
