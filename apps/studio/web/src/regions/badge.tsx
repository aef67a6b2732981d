// The guarantee in one line, always in view; a click says what it stands on.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { project } from "../project";
import { parseAlpha } from "./alpha";
import { guaranteeWords } from "./guarantee";
import { GuaranteePanel } from "./guarantee_panel";
import { Shield } from "./shield";
import { status } from "./status";
import "./regions.css";

/** Closes on Escape and on a click elsewhere. */
function useDismiss(open: boolean, close: () => void) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const onPointer = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
      root.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", onPointer, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPointer, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [open]);
  return root;
}

/** The badge of the open project; nothing until its status is known. */
export function GuaranteeBadge() {
  const open = useSignal(false);
  const root = useDismiss(open.value, () => (open.value = false));
  const known = status.value;
  const alpha = parseAlpha(project.value?.settings.alpha ?? "");
  if (known === null || alpha === null) return null;
  const words = guaranteeWords(known, alpha);
  return (
    <div class="guarantee" ref={root}>
      <button
        type="button"
        class={`guarantee-badge tone-${words.tone}`}
        aria-expanded={open.value}
        aria-label={`Guarantee: ${words.title} (${words.short}). Show what it stands on.`}
        title={words.sentence}
        onClick={() => (open.value = !open.value)}>
        <Shield tone={words.tone} />
        <span class="guarantee-title">{words.title}</span>
        <span class="guarantee-short">{words.short}</span>
      </button>
      {open.value && (
        <div class="guarantee-popover" role="dialog" aria-label="What the guarantee stands on">
          <GuaranteePanel status={known} alpha={alpha} words={words} />
        </div>
      )}
    </div>
  );
}
