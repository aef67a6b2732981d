// The audits of the open project, asked for again whenever something changes.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../api";
import { onEvent, onReconnect } from "../events";
import type { Audits } from "../types";

export interface OpenAudits {
  /** null until they are known. */
  audits: Audits | null;
  failure: string;
  /** Takes over an answer of the server. */
  show: (audits: Audits) => void;
}

export function useAudits(project: number, together: boolean, size: number | null): OpenAudits {
  const audits = useSignal<Audits | null>(null);
  const failure = useSignal("");
  useEffect(() => {
    let current = true;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      try {
        const found = await api.audits(project, { together, size: size ?? undefined });
        if (current) [audits.value, failure.value] = [found, ""];
      } catch (error) {
        if (current) failure.value = (error as Error).message;
      }
    };
    const soon = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void load(), 200);
    };
    void load();
    const ends = [onReconnect(soon), onEvent(soon)];
    return () => {
      current = false;
      clearTimeout(waiting);
      ends.forEach((end) => end());
    };
  }, [project, together, size]);
  return {
    audits: audits.value,
    failure: failure.value,
    show: (found) => (audits.value = found),
  };
}
