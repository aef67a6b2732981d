import { saveState, type SaveState } from "./sync";

function textOf(state: SaveState): string {
  if (state.kind === "saved") return "all saved";
  const changes = state.count === 1 ? "1 change" : `${state.count} changes`;
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

/** Whether every click is with the server, in words. */
export function SaveStateText() {
  const state = saveState.value;
  return (
    <span class={`connection save-${state.kind} ${classOf(state)}`} role="status" data-testid="save-state">
      <span class="dot" aria-hidden="true" />
      {textOf(state)}
    </span>
  );
}

function classOf(state: SaveState): string {
  if (state.kind === "saved") return "saved";
  return state.kind === "saving" ? "" : "offline";
}
