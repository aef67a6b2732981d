// Files out of what a browser hands over: a drop of files and folders, or a file picker.
import { byName } from "../../by_name";

/** A file and the name it gets in the project. */
export interface PickedFile {
  readonly name: string;
  readonly file: File;
}

/** Files that an operating system leaves in folders. */
export function isClutter(name: string): boolean {
  const last = name.split("/").at(-1) ?? "";
  return (
    last.startsWith(".") || /^(thumbs\.db|desktop\.ini)$/i.test(last) || name.includes("__MACOSX/")
  );
}

/** The path below the folder that was chosen: its own name says nothing that tells files apart. */
export function nameBelowFolder(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length > 1 ? parts.slice(1).join("/") : (parts[0] ?? path);
}

/** The files of a file picker; with `webkitdirectory` they know their folder. */
export function filesOfInput(list: FileList | null): PickedFile[] {
  return Array.from(list ?? [], (file) => ({
    name: file.webkitRelativePath ? nameBelowFolder(file.webkitRelativePath) : file.name,
    file,
  })).filter((picked) => !isClutter(picked.name));
}

/** The files of a drop, folders opened. Must be called within the drop event: the browser takes
 *  the items back when it ends, so entries are collected before the first await. */
export async function filesOfDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  const entries: FileSystemEntry[] = [];
  const loose: PickedFile[] = [];
  for (const item of Array.from(transfer.items)) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = entry === null ? item.getAsFile() : null;
    if (entry !== null) entries.push(entry);
    else if (file !== null) loose.push({ name: file.name, file });
  }
  const found = await Promise.all(entries.map(filesOfEntry));
  const all = [...loose, ...found.flat()].filter((picked) => !isClutter(picked.name));
  return all.sort(byName);
}

async function filesOfEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    return [{ name: nameBelowFolder(entry.fullPath), file }];
  }
  const children = await entriesOf(entry as FileSystemDirectoryEntry);
  return (await Promise.all(children.map(filesOfEntry))).flat();
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

// A reader gives at most a hundred entries at a time, and none when it is through.
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
