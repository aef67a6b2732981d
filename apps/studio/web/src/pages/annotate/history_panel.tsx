import { useEffect, useState } from "preact/hooks";
import * as api from "../../api";
import { timeText } from "../../times";
import type { HistoryEntry, ReadingNumber } from "../../types";

interface HistoryPanelProps {
  project: number;
  image: number;
  reading: ReadingNumber;
  /** Asked for again whenever this changes. */
  revision: number;
}

/** Who placed what and when, newest first. */
export function HistoryPanel({ project, image, reading, revision }: HistoryPanelProps) {
  const [entries, setEntries] = useState<HistoryEntry[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    api.history(project, image).then(
      (found) => wanted && (setEntries(found), setError(null)),
      (cause: Error) => wanted && setError(cause.message),
    );
    return () => {
      wanted = false;
    };
  }, [project, image, revision]);
  if (error) return <p class="note bad">{error}</p>;
  if (!entries) return <p class="empty">Loading…</p>;
  // A second reading is independent: it does not see the first one's history either.
  const shown = entries.filter((entry) => entry.reading === reading);
  if (shown.length === 0) return <p class="empty">Nothing was placed yet.</p>;
  return (
    <ol class="history" aria-label="History of this image, newest first">
      {shown.map((entry) => (
        <li key={`${entry.change} ${entry.landmark} ${entry.revision}`}>
          <div>
            <strong>{entry.landmark_name}</strong> {whatHappened(entry)}
          </div>
          <div class="muted">
            {entry.annotator || "unnamed"}, <time dateTime={entry.at}>{timeText(entry.at)}</time>
            {sourceText(entry)}
          </div>
        </li>
      ))}
    </ol>
  );
}

function whatHappened(entry: HistoryEntry): string {
  if (entry.state === null) return "removed";
  if (entry.state === "missing") return "not visible";
  const place = `at ${entry.x?.toFixed(1)}, ${entry.y?.toFixed(1)}`;
  return entry.state === "hidden" ? `${place}, hidden` : place;
}

function sourceText(entry: HistoryEntry): string {
  const texts = {
    blind: "",
    accept: ", proposal accepted",
    correct: ", corrected",
    import: ", imported",
    restore: ", restored",
    auto: ", accepted without review",
  };
  return texts[entry.source];
}
