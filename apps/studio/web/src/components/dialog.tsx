import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { openDialogs } from "../keys";

interface DialogProps {
  title: string;
  /** Called by Esc and the closing sign; without it the dialog has to be answered. */
  onClose?: () => void;
  wide?: boolean;
  children: ComponentChildren;
  /** Buttons, the one that is meant last. */
  actions?: ComponentChildren;
}

/** A modal dialog: the browser's own, which traps the focus, gives it back and dims the rest. */
export function Dialog({ title, onClose, wide, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const words = useRef<HTMLHeadingElement>(null);
  // Before the next key, not after the next frame: what is typed at once must arrive here.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = element.current;
    shown?.showModal();
    // A key that was meant for the page must not press a button of a dialog that has just come up.
    if (!shown?.querySelector("[autofocus]")) words.current?.focus();
    openDialogs.value += 1;
    return () => {
      openDialogs.value -= 1;
      // As long as it is open, nothing outside can take the focus.
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog
      ref={element}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={cancel}
    >
      <header class="dialog-head">
        <h2 id={heading} ref={words} tabIndex={-1}>
          {title}
        </h2>
        {onClose && (
          <button type="button" class="button quiet sign" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        )}
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="dialog-actions">{actions}</footer>}
    </dialog>
  );
}
