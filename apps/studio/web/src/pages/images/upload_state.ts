// The uploads of this tab. They live beside the page, so that they go on while one looks elsewhere.
import { signal } from "@preact/signals";
import * as api from "../../api";
import { reloadProject } from "../../project";
import type { PickedFile } from "./dropped_files";
import { forEachLimited, reasonToSkip } from "./upload_limits";

export interface Refusal {
  name: string;
  why: string;
}

/** A file with several pages, of which the user must choose. */
export interface ManyPages {
  picked: PickedFile;
  pages: number;
}

export interface Uploads {
  project: number;
  done: number;
  total: number;
  stored: number;
  refused: Refusal[];
  /** Files that wait for the user to say which page to take. */
  asking: ManyPages[];
  running: boolean;
}

/** The last folder or files that were dropped; null before the first. */
export const uploads = signal<Uploads | null>(null);

// Browsers open six connections to a server; two stay for what the page itself asks.
const atOnce = 4;
let stopper = new AbortController();

export function stopUploads(): void {
  stopper.abort();
}

export function dismissUploads(): void {
  if (!uploads.value?.running) uploads.value = null;
}

function note(change: (before: Uploads) => Partial<Uploads>): void {
  const before = uploads.value;
  if (before !== null) uploads.value = { ...before, ...change(before) };
}

function refuse(name: string, why: string): void {
  note((before) => ({ done: before.done + 1, refused: [...before.refused, { name, why }] }));
}

function ask(file: ManyPages): void {
  note((before) => ({ done: before.done + 1, asking: [...before.asking, file] }));
}

/** The name of one page of a file: "stack-3.tif". */
export function nameOfPage(name: string, page: number): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)}-${page}${name.slice(dot)}` : `${name}-${page}`;
}

/** Takes pages of a file that was asked about, none to skip it. */
export async function takePages(file: ManyPages, pages: number[]): Promise<void> {
  const current = uploads.value;
  if (current === null) return;
  note((before) => ({ asking: before.asking.filter((one) => one !== file) }));
  if (pages.length === 0) refuseAgain(file.picked.name, "no page was chosen");
  for (const page of pages) {
    const name = nameOfPage(file.picked.name, page);
    try {
      await api.uploadImage(current.project, file.picked.file, { name, page });
      note((before) => ({ stored: before.stored + 1 }));
    } catch (error) {
      refuseAgain(name, withoutName((error as Error).message, name));
    }
  }
  await reloadProject();
}

function refuseAgain(name: string, why: string): void {
  note((before) => ({ refused: [...before.refused, { name, why }] }));
}

// The list names the file already.
function withoutName(why: string, name: string): string {
  return why.startsWith(`${name}: `) ? why.slice(name.length + 2) : why;
}

async function sendOne(project: number, picked: PickedFile, signal: AbortSignal): Promise<void> {
  const reason = reasonToSkip(picked.name, picked.file.size);
  if (reason !== null) return refuse(picked.name, reason);
  try {
    await api.uploadImage(project, picked.file, { name: picked.name }, signal);
    note((before) => ({ done: before.done + 1, stored: before.stored + 1 }));
  } catch (error) {
    const pages = error instanceof api.ApiError ? error.body["pages"] : undefined;
    if (typeof pages === "number") return ask({ picked, pages });
    const why = signal.aborted ? "stopped before it was sent" : (error as Error).message;
    refuse(picked.name, withoutName(why, picked.name));
  }
}

/** Sends files to a project, some at a time; what is refused is listed, the rest goes on. */
export async function upload(project: number, files: PickedFile[]): Promise<void> {
  if (files.length === 0 || uploads.value?.running) return;
  stopper = new AbortController();
  const { signal } = stopper;
  uploads.value = {
    project,
    done: 0,
    total: files.length,
    stored: 0,
    refused: [],
    asking: [],
    running: true,
  };
  await forEachLimited(files, atOnce, (picked) => sendOne(project, picked, signal), signal);
  note(() => ({ running: false }));
  await reloadProject();
}
