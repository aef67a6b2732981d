// The audits of the open project, asked for again whenever something changes.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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
  // Counts questions and answers: an answer to an old question must not replace what came since.
  const turn = useRef(0);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      const asked = ++turn.current;
      try {
        const found = await api.audits(project, { together, size: size ?? undefined });
        if (asked === turn.current) [audits.value, failure.value] = [found, ""];
      } catch (error) {
        if (asked === turn.current) failure.value = (error as Error).message;
      }
    };
    const soon = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void load(), 200);
    };
    void load();
    const ends = [onReconnect(soon), onEvent(soon)];
    return () => {
      turn.current += 1;
      clearTimeout(waiting);
      ends.forEach((end) => end());
    };
  }, [project, together, size]);
  return {
    audits: audits.value,
    failure: failure.value,
    show: (found) => {
      turn.current += 1;
      audits.value = found;
    },
  };
}
