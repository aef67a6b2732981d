// Points in time as people read them.

/** "14:05:09" today, "3 Feb, 14:05" this year, with the year before that. */
export function timeText(at: string, now = new Date()): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  if (time.toDateString() === now.toDateString()) return time.toLocaleTimeString();
  const year = time.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return time.toLocaleString(undefined, {
    year,
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}
