// Small parts that several pages are made of.
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import "../styles/pages.css";

interface SheetProps {
  title: string;
  /** One sentence of what the page is for. */
  lead?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

/** A page to read, with its heading. */
export function Sheet({ title, lead, wide, children }: SheetProps) {
  return (
    <div class={wide ? "sheet wide" : "sheet"}>
      <header class="sheet-head">
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </header>
      {children}
    </div>
  );
}

/** A box with a heading. */
export function Card(props: { title?: string; class?: string; children: ComponentChildren }) {
  return (
    <section class={`card ${props.class ?? ""}`}>
      {props.title && <h2>{props.title}</h2>}
      {props.children}
    </section>
  );
}

/** What went wrong, read out by screen readers as it appears. */
export function Failure({ text }: { text: string }) {
  return text === "" ? null : (
    <p class="failure" role="alert">
      ⚠ {text}
    </p>
  );
}

/** Something asked of the server: whether it is on its way, and why it failed. */
export interface Call {
  busy: Signal<boolean>;
  failure: Signal<string>;
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useCall(): Call {
  const busy = useSignal(false);
  const failure = useSignal("");
  const run = async (work: () => Promise<void>) => {
    busy.value = true;
    failure.value = "";
    try {
      await work();
    } catch (error) {
      failure.value = (error as Error).message;
    } finally {
      busy.value = false;
    }
  };
  return { busy, failure, run };
}

/** A bar of what is done, with words. */
export function ProgressLine({ done, total, what }: { done: number; total: number; what: string }) {
  return (
    <div class="progress-line">
      <progress value={done} max={Math.max(total, 1)} aria-label={what} />
      <span>
        {what}: {done} of {total}
      </span>
    </div>
  );
}

interface FileButtonProps {
  text: string;
  accept?: string;
  multiple?: boolean;
  /** Picks a folder with all that is in it. */
  folder?: boolean;
  disabled?: boolean;
  onFiles: (files: FileList) => void;
}

/** A file picker that looks like a button. */
export function FileButton({ text, accept, multiple, folder, disabled, onFiles }: FileButtonProps) {
  const picked = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    if (input.files !== null && input.files.length > 0) onFiles(input.files);
    // The same file may be chosen again, as after a failure.
    input.value = "";
  };
  const directory = folder ? { webkitdirectory: true } : {};
  return (
    <label class={disabled ? "button file-button disabled" : "button file-button"}>
      {text}
      <input
        type="file"
        class="visually-hidden"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={picked}
        {...directory}
      />
    </label>
  );
}
