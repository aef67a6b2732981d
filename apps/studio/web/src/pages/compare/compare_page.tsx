// Two annotators on the same landmarks: how far apart they are.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { SelectField } from "../../components/field";
import { Table } from "../../components/table";
import { imageById, landmarkById, project } from "../../project";
import { hrefOf } from "../../router";
import type { Comparison, ComparisonPair, Project } from "../../types";
import { Card, Failure, Sheet, useCall } from "../../components/page_parts";

const worstShown = 30;

function pixels(value: number): string {
  return `${value.toFixed(2)} px`;
}

function millimeters(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${value.toFixed(3)} mm`;
}

export function ComparePage() {
  const names = useSignal<string[] | null>(null);
  const first = useSignal("");
  const second = useSignal("");
  const call = useCall();
  const open = project.value;
  const id = open?.id;
  useEffect(() => {
    if (id === undefined) return;
    void call.run(async () => {
      const found = await api.annotators(id);
      names.value = found;
      first.value = found[0] ?? "";
      second.value = found[1] ?? "";
    });
  }, [id]);
  if (open === null) return null;
  const options = (names.value ?? []).map((name) => ({ value: name, text: name }));
  return (
    <Sheet
      title="Compare annotators"
      lead="How far apart two people place the same landmark: the yardstick for any machine.">
      <Failure text={call.failure.value} />
      {names.value !== null && names.value.length < 2 && <HowToCompare project={open} />}
      {options.length >= 2 && (
        <>
          <div class="row export-choices">
            <SelectField
              label="First"
              value={first.value}
              options={options}
              onValue={(value) => (first.value = value)}
            />
            <SelectField
              label="Second"
              value={second.value}
              options={options}
              onValue={(value) => (second.value = value)}
            />
          </div>
          <Result project={open} first={first.value} second={second.value} />
        </>
      )}
    </Sheet>
  );
}

function HowToCompare({ project: open }: { project: Project }) {
  return (
    <Card title="How to compare">
      <p>
        Ask a second person to place the landmarks again, without seeing yours: give their name at
        the top right, open <a href={hrefOf("annotate", open.id)}>Annotate</a> and switch to the{" "}
        <strong>second reading</strong>. Second readings are kept beside the first, never calibrate,
        and are compared here.
      </p>
    </Card>
  );
}

function Result({
  project: open,
  first,
  second,
}: {
  project: Project;
  first: string;
  second: string;
}) {
  const found = useSignal<Comparison | null>(null);
  const call = useCall();
  useEffect(() => {
    found.value = null;
    if (first === second) return;
    void call.run(async () => void (found.value = await api.comparison(open.id, first, second)));
  }, [open.id, first, second]);
  if (first === second) return <p class="empty">Choose two different people.</p>;
  if (call.failure.value !== "") return <Failure text={call.failure.value} />;
  if (found.value === null) return <p class="empty">Comparing …</p>;
  if (found.value.pairs.length === 0) {
    return (
      <>
        <p class="empty">
          {first} and {second} have placed no landmark in the same image.
        </p>
        <HowToCompare project={open} />
      </>
    );
  }
  return (
    <>
      <Summary comparison={found.value} />
      <PerLandmark comparison={found.value} />
      <Worst project={open} pairs={found.value.pairs} first={first} second={second} />
    </>
  );
}

function Summary({ comparison: { summary } }: { comparison: Comparison }) {
  const scaled = summary.mean_mm !== null;
  const numbers: [string, string][] = [
    ["Points compared", String(summary.count)],
    ["Mean distance", pixels(summary.mean)],
    ["Mean (mm)", scaled ? millimeters(summary.mean_mm) : "no scale"],
    ["Median", pixels(summary.median)],
    ["95 % are within", pixels(summary.p95)],
    ["Largest", pixels(summary.largest)],
  ];
  return (
    <Card>
      <dl class="big-numbers">
        {numbers.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!scaled && (
        <p class="muted">
          Millimeters need a scale: set millimeters per pixel in the settings, or of an image.
        </p>
      )}
    </Card>
  );
}

function nameOfLandmark(id: number): string {
  return landmarkById.value.get(id)?.name ?? `landmark ${id}`;
}

function PerLandmark({ comparison }: { comparison: Comparison }) {
  return (
    <Card title="By landmark">
      <Table
        caption="Distances by landmark"
        rows={comparison.landmarks}
        keyOf={(row) => row.landmark}
        columns={[
          { title: "Landmark", cell: (row) => nameOfLandmark(row.landmark) },
          { title: "Points", number: true, cell: (row) => row.count },
          { title: "Mean", number: true, cell: (row) => pixels(row.mean) },
          { title: "Median", number: true, cell: (row) => pixels(row.median) },
          { title: "Largest", number: true, cell: (row) => pixels(row.largest) },
          { title: "Mean (mm)", number: true, cell: (row) => millimeters(row.mean_mm) },
        ]}
      />
    </Card>
  );
}

interface WorstProps {
  project: Project;
  pairs: ComparisonPair[];
  first: string;
  second: string;
}

function Worst({ project: open, pairs, first, second }: WorstProps) {
  const worst = [...pairs].sort((a, b) => b.distance - a.distance).slice(0, worstShown);
  const place = (x: number, y: number) => `${x.toFixed(1)}, ${y.toFixed(1)}`;
  return (
    <Card title={`Furthest apart (${worst.length} of ${pairs.length})`}>
      <Table
        caption="Pairs of points that are furthest apart"
        rows={worst}
        keyOf={(pair) => `${pair.image} ${pair.landmark}`}
        columns={[
          { title: "Image", cell: (pair) => <ImageLink project={open.id} image={pair.image} /> },
          { title: "Landmark", cell: (pair) => nameOfLandmark(pair.landmark) },
          { title: "Distance", number: true, cell: (pair) => pixels(pair.distance) },
          { title: "(mm)", number: true, cell: (pair) => millimeters(pair.distance_mm) },
          { title: first, number: true, cell: (pair) => place(pair.x1, pair.y1) },
          { title: second, number: true, cell: (pair) => place(pair.x2, pair.y2) },
        ]}
      />
    </Card>
  );
}

function ImageLink({ project: open, image }: { project: number; image: number }) {
  return (
    <a class="image-link" href={hrefOf("annotate", open, image)}>
      <img src={api.thumbnailUrl(open, image)} alt="" loading="lazy" />
      {imageById.value.get(image)?.name ?? `image ${image}`}
    </a>
  );
}
