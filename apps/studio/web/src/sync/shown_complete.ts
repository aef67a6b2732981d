// First readings that this tab has shown with all landmarks and whose last changes are on their way.
import { laneOf, type LaneKey } from "./entry";
import { waitingFor } from "./sync";

const complete = new Set<LaneKey>();

/** Notes whether the reading, with one's own changes, has a state for every landmark. */
export function noteShown(lane: LaneKey, isComplete: boolean): void {
  if (isComplete) complete.add(lane);
  else complete.delete(lane);
}

/** Whether the changes that wait for the server complete the first reading of an image. */
export function isShownComplete(project: number, image: number): boolean {
  const waits = waitingFor(project, image, 1).length > 0;
  return waits && complete.has(laneOf({ project, image, reading: 1 }));
}
