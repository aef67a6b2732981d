import { counted } from "../counted";
import { connection } from "../events";
import { saveState, type SaveState } from "./sync";
import { unsaved } from "./unsaved";

function textOf(state: SaveState): string {
  if (state.kind === "saved") return "all saved";
  const changes = counted(state.count, "change");
  if (state.atRisk) return `${changes} not saved: keep this page open`;
  switch (state.kind) {
    case "saving":
      return `saving ${state.count}`;
    case "offline":
      return `offline: ${changes} kept in this browser`;
    case "conflict":
      return `${changes} in conflict`;
    case "refused":
      return `${changes} refused`;
  }
}

function isTrouble(state: SaveState): boolean {
  return state.kind !== "saved" && (state.kind !== "saving" || state.atRisk);
}

/** Whether every click is with the server, and whether that answers; for the header. */
export function ConnectionState() {
  const state = saveState.value;
  const offline = connection.value === "offline" || isTrouble(state);
  const open = state.kind === "saved" ? unsaved.value : [];
  const text =
    open.length > 0
      ? `${open.join(", ")} not saved`
      : state.kind === "saved" && connection.value === "connecting"
        ? "connecting…"
        : textOf(state);
  return (
    <span
      class={`connection ${offline ? "offline" : open.length > 0 ? "unsaved" : state.kind}`}
      role="status"
      data-testid={isTrouble(state) ? undefined : "save-state"}
    >
      <span class="dot" aria-hidden="true" />
      {offline ? shortText(state) : text}
    </span>
  );
}

function shortText(state: SaveState): string {
  return state.kind === "conflict" || state.kind === "refused" ? "not saved" : "offline";
}

/** In full, where changes wait for more than a moment. It lies over the page: if the page moved
 * under the pointer, clicks would miss. */
export function TroubleStrip() {
  const state = saveState.value;
  if (!isTrouble(state)) return null;
  return (
    <div class="trouble" role="alert" data-testid="save-state">
      {textOf(state)}
    </div>
  );
}
