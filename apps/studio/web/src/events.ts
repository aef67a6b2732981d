// What the server pushes (SSE), for subscribers; and whether the server is there.
import { signal } from "@preact/signals";
import type { EventName, StudioEvent } from "./types";

export type Connection = "connecting" | "connected" | "offline";

/** Whether events of the open project arrive. */
export const connection = signal<Connection>("connecting");

type Listener = (event: StudioEvent) => void;
const listeners = new Set<Listener>();
const comebacks = new Set<() => void>();

/** Calls `listener` for every event of the open project, until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` when a broken connection is there again: events in between were missed. */
export function onReconnect(listener: () => void): () => void {
  comebacks.add(listener);
  return () => comebacks.delete(listener);
}

const names: EventName[] = [
  "project",
  "scheme",
  "images",
  "image",
  "embedding",
  "calibration",
  "prediction",
  "acceptance",
];

// Browsers allow six connections to one server over all tabs. A hidden tab gives its
// own back after this time, and catches up when it is looked at again.
const hiddenFor = 20_000;
const slowest = 10_000;

let source: EventSource | null = null;
let project: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let wait = 1000;
let missed = false;

/** Listens to this project's events instead of another's; null: to none. */
export function listenTo(next: number | null): void {
  if (next === project) return;
  project = next;
  missed = false;
  open();
}

function open(): void {
  close();
  if (project === null) return;
  source = new EventSource(`/v1/events?project=${project}`);
  source.onopen = opened;
  source.onerror = failed;
  for (const name of names) source.addEventListener(name, (event) => tell(name, event.data));
}

function close(): void {
  clearTimeout(timer);
  source?.close();
  source = null;
}

function opened(): void {
  wait = 1000;
  connection.value = "connected";
  if (missed) for (const listener of comebacks) listener();
  missed = false;
}

function failed(): void {
  connection.value = "offline";
  missed = true;
  // EventSource gives up for good when the answer is an error (as of a server that is starting).
  close();
  timer = setTimeout(open, wait);
  wait = Math.min(2 * wait, slowest);
}

function tell(name: EventName, data: string): void {
  const event = { name, ...(JSON.parse(data) as object) } as StudioEvent;
  for (const listener of listeners) listener(event);
}

function visibilityChanged(): void {
  clearTimeout(timer);
  if (!document.hidden) {
    if (source === null) open();
    return;
  }
  timer = setTimeout(() => {
    missed = source !== null || missed;
    close();
  }, hiddenFor);
}

document.addEventListener("visibilitychange", visibilityChanged);
window.addEventListener("online", () => {
  if (source === null) open();
});
