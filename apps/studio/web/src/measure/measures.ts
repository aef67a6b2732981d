// The measures and lines of the open project, kept fresh by the server's events.
import { effect, signal } from "@preact/signals";
import * as api from "../api";
import { onEvent, onReconnect } from "../events";
import { project } from "../project";
import type { Measures } from "../types";

const none: Measures = { revision: 0, measures: [], skeleton: [] };

export const measures = signal<Measures>(none);

let shown: number | null = null;

export async function reloadMeasures(): Promise<void> {
  const id = shown;
  if (id === null) return;
  const found = await api.measures(id).catch(() => null);
  if (found !== null && id === shown) measures.value = found;
}

effect(() => {
  const id = project.value?.id ?? null;
  if (id === shown) return;
  shown = id;
  measures.value = none;
  void reloadMeasures();
});

onReconnect(() => void reloadMeasures());
onEvent((event) => {
  if (event.name === "project" || event.name === "scheme") void reloadMeasures();
});
