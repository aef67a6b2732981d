// Many uploads, a few at a time.

/** Calls `work` on every item, at most `limit` at once, until `signal` says stop. A failure of one
 *  item is its own: `work` must not throw. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  const runner = async () => {
    while (next < items.length && !signal?.aborted) {
      const item = items[next] as Item;
      ++next;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runner));
}

// The server decides by their bytes what images are; these are surely none, and may be large.
const surelyNoImage =
  /\.(txt|csv|tsv|json|xml|tps|pts|zip|pdf|docx?|xlsx?|md|html?|py|mp4|mov|avi)$/i;

/** A reason not to send a file at all, or null. */
export function reasonToSkip(name: string, bytes: number): string | null {
  if (surelyNoImage.test(name)) return "not an image (JPEG, PNG, TIFF, WebP, BMP and DICOM are)";
  if (bytes === 0) return "the file is empty";
  return null;
}
