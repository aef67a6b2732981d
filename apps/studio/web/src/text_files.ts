// Picked text files, read for the server.
import type { TextFile } from "./types";

/** What landmark files are called. */
export const annotationFiles = ".csv,.tps,.pts,.json,.xml,.txt";

const mostBytes = 64 * 2 ** 20;

async function textOf(file: File): Promise<TextFile> {
  if (file.size > mostBytes)
    throw new Error(`${file.name} is larger than 64 MB, too large for a landmark file`);
  try {
    // A file that is not UTF-8 is told of, not changed in silence.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return { name: file.name, text };
  } catch {
    throw new Error(`${file.name} is not UTF-8 text; save it as UTF-8 and try again`);
  }
}

export function textFilesOf(files: FileList | File[]): Promise<TextFile[]> {
  return Promise.all(Array.from(files, textOf));
}
