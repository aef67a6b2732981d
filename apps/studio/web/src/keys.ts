// Keys of the page that is open: one table serves the keyboard and the help overlay.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface KeyBinding {
  /** As "ctrl+shift+z", "Delete", "[", "shift+Tab"; several for one action. */
  keys: string[];
  /** What it does, for the help overlay; empty: another line says it. */
  help: string;
  /** How the overlay names the keys, if not one by one. */
  shown?: string[];
  /** Returns false to leave the key to the browser. */
  run(event: KeyboardEvent): unknown;
  /** Whether holding the key down repeats it. */
  repeat?: boolean;
}

export interface KeyGroup {
  title: string;
  bindings: KeyBinding[];
}

/** The groups of keys that are in force now. */
export const keyGroups = signal<KeyGroup[]>([]);

/** How many dialogs are open: while one is, only its own keys work. */
export const openDialogs = signal(0);

/** Puts a group of keys in force as long as the component is shown. */
export function useKeys(title: string, bindings: KeyBinding[]): void {
  const group = useRef<KeyGroup>({ title, bindings });
  group.current.bindings = bindings;
  // In force before the next key, not after the next frame.
  useLayoutEffect(() => {
    const own = group.current;
    keyGroups.value = [...keyGroups.value, own];
    return () => {
      keyGroups.value = keyGroups.value.filter((one) => one !== own);
    };
  }, []);
}

/** The event's key as bindings spell it. */
export function nameOf(event: KeyboardEvent): string {
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase();
  const key =
    event.key === " " ? "Space" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("ctrl");
  if (event.altKey) parts.push("alt");
  // Signs as ? and + need shift on some keyboards and not on others, so it is not part of them.
  if (event.shiftKey && !isSign) parts.push("shift");
  parts.push(key);
  return parts.join("+");
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  const silent = ["checkbox", "radio", "button", "range", "color", "file", "submit"];
  return target instanceof HTMLInputElement && !silent.includes(target.type);
}

// Enter and Space press the button that has the focus, and arrows move a slider, before they are
// anything else.
function belongsTo(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Tab goes through landmarks on the image, and from control to control everywhere else.
  if (name.endsWith("Tab")) return target !== document.body && !target.matches(".viewer, main");
  if (name === "Enter" || name === "Space") {
    return target.closest("button, a[href], summary, input, [role=option]") !== null;
  }
  const moves = /Arrow|Page(Up|Down)|Home|End/.test(name);
  return target instanceof HTMLInputElement && target.type === "range" && moves;
}

function bindingFor(name: string): KeyBinding | undefined {
  for (const group of [...keyGroups.value].reverse()) {
    const found = group.bindings.find((binding) => binding.keys.includes(name));
    if (found) return found;
  }
  return undefined;
}

window.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || openDialogs.value > 0 || isTyping(event.target)) return;
  const name = nameOf(event);
  if (belongsTo(event.target, name)) return;
  const binding = bindingFor(name);
  if (!binding || (event.repeat && !binding.repeat)) return;
  if (binding.run(event) !== false) event.preventDefault();
});
