// The rows of the scheme editor: name, color, pair; moved by drag, by buttons and by keys.
import { type Signal, useSignal } from "@preact/signals";
import { Button } from "../../components/button";
import { announce } from "../../components/toast";
import {
  type Draft,
  type DraftLandmark,
  moved,
  paired,
  recolored,
  renamed,
  without,
} from "./scheme_draft";

export function SchemeRows({ draft }: { draft: Signal<Draft> }) {
  const dragged = useSignal<number | null>(null);
  if (draft.value.length === 0) {
    return (
      <p class="empty">
        No landmarks yet. Add them one by one, paste a list, or read them from a file.
      </p>
    );
  }
  const move = (from: number, to: number) => {
    draft.value = moved(draft.value, from, to);
    announce(`${draft.value[to]?.name ?? ""} is now number ${to + 1} of ${draft.value.length}`);
  };
  const enter = (index: number) => {
    if (dragged.value === null || dragged.value === index) return;
    draft.value = moved(draft.value, dragged.value, index);
    dragged.value = index;
  };
  return (
    <ol class="scheme-rows" aria-label="Landmarks in the order in which they are placed">
      {draft.value.map((row, index) => (
        <li
          key={row.key}
          class={dragged.value === index ? "dragged" : ""}
          onDragEnter={() => enter(index)}
          onDragOver={(event) => event.preventDefault()}>
          <DragHandle index={index} dragged={dragged} />
          <SchemeRow draft={draft} row={row} index={index} onMove={(to) => move(index, to)} />
        </li>
      ))}
    </ol>
  );
}

function DragHandle({ index, dragged }: { index: number; dragged: Signal<number | null> }) {
  const begin = (event: DragEvent) => {
    dragged.value = index;
    // Firefox begins no drag without data.
    event.dataTransfer?.setData("text/plain", String(index));
  };
  return (
    <span
      class="drag-handle"
      draggable
      aria-hidden="true"
      title="Drag to another place"
      onDragStart={begin}
      onDragEnd={() => (dragged.value = null)}>
      ⠿<small>{index + 1}</small>
    </span>
  );
}

interface SchemeRowProps {
  draft: Signal<Draft>;
  row: DraftLandmark;
  index: number;
  onMove: (to: number) => void;
}

function SchemeRow({ draft, row, index, onMove }: SchemeRowProps) {
  const keys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    const to = index + (event.key === "ArrowUp" ? -1 : 1);
    if (to >= 0 && to < draft.value.length) onMove(to);
  };
  return (
    <>
      <input
        type="color"
        value={row.color}
        aria-label={`Color of ${row.name}`}
        onInput={(event) =>
          (draft.value = recolored(draft.value, index, event.currentTarget.value))
        }
      />
      <input
        type="text"
        value={row.name}
        maxLength={200}
        aria-label={`Name of landmark ${index + 1}`}
        title="Alt with arrow up or down moves it"
        onKeyDown={keys}
        onInput={(event) => (draft.value = renamed(draft.value, index, event.currentTarget.value))}
      />
      <PairSelect draft={draft} row={row} index={index} />
      <div class="row-buttons">
        <Button
          kind="quiet"
          class="sign"
          label={`Move ${row.name} up`}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}>
          ↑
        </Button>
        <Button
          kind="quiet"
          class="sign"
          label={`Move ${row.name} down`}
          disabled={index === draft.value.length - 1}
          onClick={() => onMove(index + 1)}>
          ↓
        </Button>
        <Button
          kind="quiet"
          class="sign"
          label={`Remove ${row.name}`}
          onClick={() => (draft.value = without(draft.value, index))}>
          ✕
        </Button>
      </div>
    </>
  );
}

function PairSelect({
  draft,
  row,
  index,
}: {
  draft: Signal<Draft>;
  row: DraftLandmark;
  index: number;
}) {
  const others = draft.value.filter((other) => other.key !== row.key && other.name !== "");
  return (
    <select
      aria-label={`Other side of ${row.name}`}
      value={row.pair ?? ""}
      onChange={(event) =>
        (draft.value = paired(draft.value, index, event.currentTarget.value || null))
      }>
      <option value="">no pair</option>
      {others.map((other) => (
        <option key={other.key} value={other.name} selected={other.name === row.pair}>
          ↔ {other.name}
        </option>
      ))}
    </select>
  );
}
