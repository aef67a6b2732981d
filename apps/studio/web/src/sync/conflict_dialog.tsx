// What the user decides where the server did not take a change: nothing is lost silently.
import { useEffect, useMemo, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { annotator } from "../preferences";
import { timeText } from "../times";
import type { Landmark, Point, Reading, StudioImage } from "../types";
import { markersOf } from "../viewer/point_markers";
import { pictureOf, Viewer } from "../viewer/viewer";
import { applyEntries, type Entry, type LaneKey } from "./entry";
import { discard, keepMine, stops, takeTheirs, tryAgain } from "./sync";

interface Context {
  image: StudioImage;
  landmarks: Landmark[];
}

/** The first image whose changes wait for a decision, if any; the shell shows it on every page. */
export function StoppedDialog() {
  const [first] = stops.value;
  const entry = first?.entries[0];
  if (!first || !entry) return null;
  if (first.stop.kind === "refused") {
    return (
      <Refused
        key={first.lane}
        lane={first.lane}
        entry={entry}
        message={first.stop.message}
        count={first.entries.length}
      />
    );
  }
  return (
    <Conflict
      key={`${first.lane} ${first.stop.current.revision}`}
      lane={first.lane}
      entries={first.entries}
      current={first.stop.current}
    />
  );
}

function useContext(entry: Entry): Context | null {
  const [context, setContext] = useState<Context | null>(null);
  useEffect(() => {
    void Promise.all([api.getImage(entry.project, entry.image), api.scheme(entry.project)])
      .then(([image, scheme]) => setContext({ image, landmarks: scheme.landmarks }))
      .catch(() => setContext(null));
  }, [entry.project, entry.image]);
  return context;
}

interface RefusedProps {
  lane: LaneKey;
  entry: Entry;
  message: string;
  count: number;
}

function Refused({ lane, entry, message, count }: RefusedProps) {
  const context = useContext(entry);
  const what = count === 1 ? "A change" : `${count} changes`;
  return (
    <Dialog
      title="The server did not take a change"
      actions={
        <>
          <Button kind="danger" onClick={() => discard(lane)}>
            Discard {what.toLowerCase()}
          </Button>
          <Button kind="primary" onClick={() => tryAgain(lane)}>
            Try again
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>
          {what} to {context ? context.image.name : "an image"}, made {timeText(entry.at)} by{" "}
          {entry.annotator}, could not be stored:
        </p>
        <p class="note bad">{message}</p>
        <p>It is kept in this browser until you decide.</p>
      </div>
    </Dialog>
  );
}

interface ConflictProps {
  lane: LaneKey;
  entries: Entry[];
  current: Reading;
}

function Conflict({ lane, entries, current }: ConflictProps) {
  const context = useContext(entries[0] as Entry);
  const name = context?.image.name ?? "this image";
  return (
    <Dialog
      wide
      title={`${name} was changed elsewhere`}
      actions={
        <>
          <Button onClick={() => takeTheirs(lane)}>Take theirs</Button>
          <Button kind="primary" onClick={() => keepMine(lane)}>
            Keep mine
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>
          <strong>{whoText(current)}</strong> changed it at {timeText(current.changed_at)}, after
          you had loaded it. Your own edits are kept in this browser until you decide.
        </p>
        {context && <Versions context={context} entries={entries} current={current} />}
        <p class="muted">
          “Keep mine” puts your edits on top of theirs; landmarks that you did not touch stay as
          they are on the left. “Take theirs” drops your edits.
        </p>
      </div>
    </Dialog>
  );
}

function whoText(current: Reading): string {
  if (current.changed_by === "") return "Another annotator";
  const isMe = current.changed_by === annotator.value;
  return isMe ? `${current.changed_by}, in another tab or browser,` : current.changed_by;
}

interface VersionsProps {
  context: Context;
  entries: Entry[];
  current: Reading;
}

function Versions({ context, entries, current }: VersionsProps) {
  const { image, landmarks } = context;
  const project = entries[0]?.project ?? 0;
  const source = useMemo(() => pictureOf(project, image), [project, image.id]);
  const mine = useMemo(() => applyEntries(current.points, entries), [entries, current]);
  const touched = useMemo(() => touchedLandmarks(entries, landmarks), [entries, landmarks]);
  const box = useMemo(() => boxOf(touched, [current.points, mine], image), [touched]);
  const side = (title: string, points: Point[]) => (
    <figure class="version">
      <figcaption>{title}</figcaption>
      <div class="version-view">
        <Viewer source={source} label={title} markers={markersOf(points, landmarks)} lookAt={box} />
      </div>
    </figure>
  );
  return (
    <>
      <div class="versions">
        {side(`Theirs: on the server, by ${current.changed_by || "unnamed"}`, current.points)}
        {side("Mine: with my edits on top", mine)}
      </div>
      <Differences touched={touched} theirs={current.points} mine={mine} />
    </>
  );
}

function Differences(props: { touched: Landmark[]; theirs: Point[]; mine: Point[] }) {
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">Landmark I changed</th>
          <th scope="col">Theirs</th>
          <th scope="col">Mine</th>
        </tr>
      </thead>
      <tbody>
        {props.touched.map((landmark) => (
          <tr key={landmark.id}>
            <th scope="row">{landmark.name}</th>
            <td>{placeText(props.theirs, landmark.id)}</td>
            <td>{placeText(props.mine, landmark.id)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a point is, in words. */
function placeText(points: Point[], landmark: number): string {
  const point = points.find((one) => one.landmark === landmark);
  if (!point) return "not placed";
  if (point.state === "missing") return "not visible";
  const place = `${point.x?.toFixed(1)}, ${point.y?.toFixed(1)}`;
  return point.state === "hidden" ? `${place} (hidden)` : place;
}

function touchedLandmarks(entries: Entry[], landmarks: Landmark[]): Landmark[] {
  const ids = new Set(entries.flatMap((entry) => entry.edits.map((edit) => edit.landmark)));
  return landmarks.filter((landmark) => ids.has(landmark.id));
}

// The box around all places of what was touched, with room to see where in the image that is.
function boxOf(touched: Landmark[], versions: Point[][], image: StudioImage) {
  const ids = new Set(touched.map((landmark) => landmark.id));
  const places = versions.flat().filter((point) => ids.has(point.landmark) && point.x !== null);
  if (places.length === 0) return null;
  const xs = places.map((point) => point.x ?? 0);
  const ys = places.map((point) => point.y ?? 0);
  const room = 0.12 * Math.max(image.width, image.height);
  return {
    from: { x: Math.min(...xs) - room, y: Math.min(...ys) - room },
    to: { x: Math.max(...xs) + room, y: Math.max(...ys) + room },
  };
}
