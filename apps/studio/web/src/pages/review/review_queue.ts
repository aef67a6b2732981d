// The images to review, in the order in which they should be.
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { onEvent, onReconnect } from "../../events";
import { project } from "../../project";
import { simultaneous } from "../../regions/status";
import type { QueueImage } from "../../types";
import { order, target } from "./review_state";

/** null until it is known. */
export const queue = signal<QueueImage[] | null>(null);
export const queueFailure = signal("");

let asked = 0;

/** Between two questions; a long queue is asked for less often, so that it never keeps the server
 *  and the page busy. */
const leastPause = 250;
const shareOfTime = 5;
let lastTook = 0;

async function load(id: number): Promise<void> {
  const turn = ++asked;
  const begun = performance.now();
  try {
    const found = await api.reviewQueue(id, target.peek().text, order.peek(), simultaneous.peek());
    lastTook = performance.now() - begun;
    if (turn !== asked) return;
    queue.value = found;
    queueFailure.value = "";
  } catch (error) {
    if (turn === asked) queueFailure.value = (error as Error).message;
  }
}

/** Keeps the queue in step with the project as long as the review page is open. */
export function useQueue(id: number): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    // The first of many events sets the time, and the others change nothing: progress that never
    // pauses must not put the queue off until all is done.
    const soon = () => {
      waiting ??= setTimeout(
        () => {
          waiting = undefined;
          void load(id);
        },
        Math.max(leastPause, shareOfTime * lastTook),
      );
    };
    queue.value = null;
    const ends = [
      effect(() => {
        void [target.value, order.value, simultaneous.value, project.value?.sampling.size];
        void load(id);
      }),
      onReconnect(soon),
      onEvent((event) => {
        if (event.name !== "scheme" && event.name !== "embedding") soon();
      }),
    ];
    return () => {
      clearTimeout(waiting);
      asked += 1;
      ends.forEach((end) => end());
    };
  }, [id]);
}
