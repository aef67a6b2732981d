// The scale of an image by two clicks on something of known length.
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { SelectField, TextField } from "../components/field";
import { Failure, useCall } from "../components/page_parts";
import { toast } from "../components/toast";
import { project as openProject, replaceImage } from "../project";
import { refreshStatus } from "../regions/status";
import type { Project, StudioImage } from "../types";
import type { Layer, Position } from "../viewer/viewer";
import { LinesLayer } from "./line_layers";

export interface ScaleTool {
  /** null: off. Else how many ends are clicked. */
  ends: Position[] | null;
  begin: () => void;
  stop: () => void;
  /** Takes a click. */
  click: (at: Position) => void;
  layers: Layer[];
}

export function useScaleTool(): ScaleTool {
  const [ends, setEnds] = useState<Position[] | null>(null);
  const [a, b] = ends ?? [];
  return {
    ends,
    begin: () => setEnds([]),
    stop: () => setEnds(null),
    click: (at) => setEnds((before) => [...(before ?? []), at].slice(0, 2)),
    layers: a && b ? [new LinesLayer([[a, b]], "#ffd23f", 2, 0)] : [],
  };
}

/** What the scale tool waits for, above the image. */
export function ScaleBanner({ tool }: { tool: ScaleTool }) {
  return (
    <div class="banner" role="status">
      {tool.ends?.length === 0
        ? "Click one end of something whose length you know, such as a ruler."
        : "Click its other end."}
      <Button kind="quiet" onClick={tool.stop}>
        Cancel
      </Button>
    </div>
  );
}

type Whose = "image" | "project";

interface ScaleDialogProps {
  tool: ScaleTool;
  project: Project;
  image: StudioImage;
}

/** Asks how long the line is, once both ends are clicked. */
export function ScaleDialog({ tool, project, image }: ScaleDialogProps) {
  const [a, b] = tool.ends ?? [];
  return a && b ? (
    <LengthQuestion
      tool={tool}
      project={project}
      image={image}
      pixels={Math.hypot(b.x - a.x, b.y - a.y)}
    />
  ) : null;
}

function LengthQuestion({ tool, project, image, pixels }: ScaleDialogProps & { pixels: number }) {
  const [length, setLength] = useState("");
  const [whose, setWhose] = useState<Whose>("image");
  const call = useCall();
  const scale = Number(length) / pixels;
  const valid = Number(length) > 0 && pixels > 0 && Number.isFinite(scale);
  const store = (event: Event) => {
    event.preventDefault();
    if (!valid) return;
    const mm_per_pixel = Number(scale.toPrecision(6));
    void call.run(async () => {
      if (whose === "image") {
        replaceImage(await api.updateImage(project.id, image.id, { mm_per_pixel }));
      } else {
        openProject.value = await api.updateProject(project.id, { settings: { mm_per_pixel } });
      }
      await refreshStatus();
      toast(`Scale: ${mm_per_pixel} mm per pixel.`, "success");
      tool.stop();
    });
  };
  return (
    <Dialog title="How long is this line?" onClose={tool.stop}>
      <form class="stack" onSubmit={store}>
        <p>The line has {pixels.toFixed(1)} px.</p>
        <TextField
          label="Length in millimeters"
          type="number"
          step="any"
          min={0}
          autofocus
          value={length}
          onText={setLength}
          hint={valid ? `${scale.toPrecision(4)} mm per pixel` : undefined}
        />
        <SelectField
          label="The scale is for"
          value={whose}
          options={[
            { value: "image", text: "this image" },
            { value: "project", text: "all images without a scale of their own" },
          ]}
          onValue={setWhose}
        />
        <Failure text={call.failure.value} />
        <div class="row end">
          <Button onClick={tool.stop}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!valid || call.busy.value}>
            Set the scale
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
