// What the open project's calibration can do, kept fresh by the server's events.
import { effect, signal } from "@preact/signals";
import * as api from "../api";
import { onEvent, onReconnect } from "../events";
import { project } from "../project";
import type { Progress, Status, StudioEvent } from "../types";

/** Of the open project; null until it is known. */
export const status = signal<Status | null>(null);

/** Whether regions are asked for that hold for all landmarks of an image at once. Begins as the
 *  project's setting; looking at the other kind changes no setting. */
export const simultaneous = signal(false);

let shownProject: number | null = null;
let running = false;
let again = false;

/** Asks for the status again; calls while one is on its way become one more. */
export async function refreshStatus(): Promise<void> {
  again = running;
  if (running) return;
  running = true;
  try {
    const id = shownProject;
    const found = id === null ? null : await api.status(id, simultaneous.peek());
    if (id === shownProject) status.value = found;
  } catch {
    // The shell says that the server is away; the last status stays until it is back.
  } finally {
    running = false;
    if (again) void refreshStatus();
  }
}

effect(() => {
  const id = project.value?.id ?? null;
  if (id === shownProject) return;
  shownProject = id;
  status.value = null;
  simultaneous.value = project.value?.settings.simultaneous ?? false;
});

effect(() => {
  // Read both, so that a change of either asks again.
  if (project.value !== null || simultaneous.value) void refreshStatus();
});

function progressed(event: StudioEvent): Progress {
  return { done: event.done ?? 0, total: event.total ?? 0 };
}

let waiting: ReturnType<typeof setTimeout> | undefined;

function refreshSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => void refreshStatus(), 100);
}

// Progress comes by the image: it is shown as it is told, and only its end is asked about.
function follow(event: StudioEvent): void {
  const known = status.peek();
  const kind = event.name;
  if ((kind === "embedding" || kind === "prediction") && known !== null) {
    status.value = { ...known, [kind]: progressed(event) };
    if (event.done === event.total) refreshSoon();
  } else if (kind !== "scheme") {
    refreshSoon();
  }
}

onEvent(follow);
onReconnect(() => void refreshStatus());
