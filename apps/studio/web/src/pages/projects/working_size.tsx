// How small images are made before they are compared, and what a patch then covers.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as api from "../../api";
import { SelectField } from "../../components/field";
import { FileButton } from "../../components/page_parts";
import type { Grid } from "../../types";

const sizes = ["256", "384", "512", "768", "1024", "original"];

const sizeText = (size: string): string =>
  size === "original" ? "original size" : size === "" ? "as in version 0.1.0" : `longest side ${size} px`;

interface WorkingSizeFieldProps {
  value: string;
  /** The one that new projects have. */
  usual: string;
  onValue: (value: string) => void;
}

export function WorkingSizeField({ value, usual, onValue }: WorkingSizeFieldProps) {
  const all = sizes.includes(value) ? sizes : [value, ...sizes];
  return (
    <SelectField
      label="Working size"
      value={value}
      options={all.map((size) => ({
        value: size,
        text: sizeText(size) + (size === usual ? " (default)" : ""),
      }))}
      onValue={onValue}
      hint="Images are made smaller to this size before they are compared. A patch should cover about as much as one has to see to know a landmark."
    />
  );
}

interface Shown {
  picture: CanvasImageSource;
  width: number;
  height: number;
}

/** A patch of the working size on an image, as large as it will be. */
export function PatchPreview({ shown, grid }: { shown: Shown | null; grid: Grid | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!canvas.current || !context || !shown || !grid) return;
    const scale = Math.min(480 / shown.width, 320 / shown.height);
    canvas.current.width = Math.max(1, Math.round(shown.width * scale));
    canvas.current.height = Math.max(1, Math.round(shown.height * scale));
    context.drawImage(shown.picture, 0, 0, canvas.current.width, canvas.current.height);
    drawGrid(context, grid, scale);
  }, [shown, grid]);
  if (!shown || !grid) return null;
  const width = Math.round(grid.patch_width);
  return (
    <figure class="patch-preview">
      <canvas ref={canvas} aria-label={`Patches of ${width} px on the image`} role="img" />
      <figcaption class="muted small-text">
        A patch covers {width} x {Math.round(grid.patch_height)} px of this image: {grid.columns} x{" "}
        {grid.rows} patches.
      </figcaption>
    </figure>
  );
}

function drawGrid(context: CanvasRenderingContext2D, grid: Grid, scale: number): void {
  context.strokeStyle = "rgb(255 255 255 / 45%)";
  context.lineWidth = 0.6;
  context.beginPath();
  const [bottom, right] = [(grid.y.at(-1) ?? 0) * scale, (grid.x.at(-1) ?? 0) * scale];
  for (const x of grid.x) {
    context.moveTo(x * scale, 0);
    context.lineTo(x * scale, bottom);
  }
  for (const y of grid.y) {
    context.moveTo(0, y * scale);
    context.lineTo(right, y * scale);
  }
  context.stroke();
  const [column, row] = [Math.floor(grid.columns / 2), Math.floor(grid.rows / 2)];
  const [x, y] = [(grid.x[column] ?? 0) * scale, (grid.y[row] ?? 0) * scale];
  context.strokeStyle = "#ffd23f";
  context.lineWidth = 2;
  context.strokeRect(x, y, (grid.x[column + 1] ?? 0) * scale - x, (grid.y[row + 1] ?? 0) * scale - y);
}

/** The preview on a file of the user's, which is not uploaded. */
export function FilePatchPreview({ size }: { size: string }) {
  const shown = useSignal<Shown | null>(null);
  const grid = useSignal<Grid | null>(null);
  const failure = useSignal("");
  const pick = async (files: FileList) => {
    const file = files[0];
    if (!file) return;
    try {
      const picture = await createImageBitmap(file);
      shown.value = { picture, width: picture.width, height: picture.height };
      failure.value = "";
    } catch {
      failure.value = "This browser cannot show the file. Choose a JPEG or PNG file.";
    }
  };
  const { width = 0, height = 0 } = shown.value ?? {};
  useEffect(() => {
    if (width === 0) return;
    let wanted = true;
    api.gridOfSize(width, height, size).then(
      (found) => wanted && (grid.value = found),
      (error: Error) => wanted && (failure.value = error.message),
    );
    return () => {
      wanted = false;
    };
  }, [width, height, size]);
  return (
    <div class="stack">
      <FileButton
        text="See it on one of your images …"
        accept="image/*"
        onFiles={(files) => void pick(files)}
      />
      {failure.value !== "" && <p class="muted">{failure.value}</p>}
      <PatchPreview shown={shown.value} grid={grid.value} />
    </div>
  );
}

/** The preview on an image of a project. */
export function ImagePatchPreview(props: { project: number; image: number; size: string }) {
  const { project, image, size } = props;
  const shown = useSignal<Shown | null>(null);
  const grid = useSignal<Grid | null>(null);
  useEffect(() => {
    let wanted = true;
    const picture = new Image();
    picture.onload = () => {
      if (wanted && grid.value) show(grid.value);
    };
    const show = (found: Grid) => {
      const [width, height] = [found.x.at(-1) ?? 1, found.y.at(-1) ?? 1];
      if (picture.complete) shown.value = { picture, width, height };
    };
    picture.src = api.previewUrl(project, image);
    api.gridOfImage(project, image, size).then(
      (found) => {
        if (!wanted) return;
        grid.value = found;
        show(found);
      },
      () => undefined, // no preview
    );
    return () => {
      wanted = false;
    };
  }, [project, image, size]);
  return <PatchPreview shown={shown.value} grid={grid.value} />;
}
