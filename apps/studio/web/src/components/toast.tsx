import { signal } from "@preact/signals";

type ToastKind = "info" | "success" | "error";

interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

const toasts = signal<Toast[]>([]);
const spoken = signal("");
let next = 1;

/** Shows a message for a while; errors stay until they are closed. */
export function toast(text: string, kind: ToastKind = "info"): void {
  const id = next++;
  toasts.value = [...toasts.value.filter((one) => one.text !== text).slice(-3), { id, kind, text }];
  if (kind !== "error") setTimeout(() => dismiss(id), 5000);
}

/** Says something to screen readers only, as the landmark that was placed. */
export function announce(text: string): void {
  // The same text twice is only said twice if it differs.
  spoken.value = spoken.value === text ? `${text}\u00a0` : text;
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

const signs: Record<ToastKind, string> = { info: "ℹ", success: "✓", error: "⚠" };

/** Where messages appear; the shell shows it once. */
export function Toasts() {
  return (
    <>
      <div class="toasts" role="status" aria-live="polite">
        {toasts.value.map((one) => (
          <div key={one.id} class={`toast ${one.kind}`}>
            <span aria-hidden="true">{signs[one.kind]}</span>
            <span class="toast-text">{one.text}</span>
            <button
              type="button"
              class="button quiet sign"
              aria-label="Close this message"
              onClick={() => dismiss(one.id)}
            >
              ✕
            </button>
          </div>
        ))}
      </div>
      <div class="visually-hidden" aria-live="assertive" data-testid="announcement">
        {spoken.value}
      </div>
    </>
  );
}
