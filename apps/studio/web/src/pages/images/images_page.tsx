// The images of a project, and where it stands.
import { useSignal } from "@preact/signals";
import { Button } from "../../components/button";
import { counted } from "../../counted";
import { images, project } from "../../project";
import { status } from "../../regions/status";
import { DropZone, UploadReport } from "./drop_zone";
import { type ImageFilter, ImageGrid, filters, useShownImages } from "./image_grid";
import { SampleCard } from "./draw_sample";
import { SubjectsDialog } from "./subjects_dialog";
import { NextStep } from "./next_steps";
import { ProgressLine, Sheet } from "../../components/page_parts";
import "./images.css";

export function ImagesPage() {
  const open = project.value;
  if (open === null) return null;
  const none = images.value.length === 0;
  return (
    <Sheet title="Images" wide>
      <NextStep project={open} />
      <DropZone project={open.id} large={none} />
      <UploadReport project={open.id} />
      {!none && <SampleCard project={open} />}
      <BackgroundWork />
      {!none && <AllImages />}
    </Sheet>
  );
}

/** What the server does meanwhile, and what it could not. */
function BackgroundWork() {
  const known = status.value;
  if (known === null) return null;
  const { embedding, prediction, failed } = known;
  const working = embedding.done < embedding.total;
  const predicting = !working && prediction.done < prediction.total;
  if (!working && !predicting && failed.length === 0) return null;
  return (
    <section class="card">
      {working && <ProgressLine {...embedding} what="Reading images" />}
      {predicting && <ProgressLine {...prediction} what="Predicting regions" />}
      {failed.length > 0 && (
        <>
          <p>These images could not be read:</p>
          <ul class="refused">
            {failed.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function AllImages() {
  const filter = useSignal<ImageFilter>("all");
  const text = useSignal("");
  const pasting = useSignal(false);
  const shown = useShownImages(filter.value, text.value);
  const open = project.value;
  if (open === null) return null;
  const sampled = open.sampling.kind !== "none";
  return (
    <section>
      <div class="row between image-tools">
        <h2>{counted(shown.length, "image")}</h2>
        <div class="row">
          <input
            type="search"
            aria-label="Find images by name"
            placeholder="Find by name"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          {sampled && (
            <select
              aria-label="Which images to show"
              value={filter.value}
              onChange={(event) => (filter.value = event.currentTarget.value as ImageFilter)}>
              {filters.map((each) => (
                <option key={each.value} value={each.value}>
                  {each.text}
                </option>
              ))}
            </select>
          )}
          <Button onClick={() => (pasting.value = true)}>Subjects from a table …</Button>
        </div>
      </div>
      <ImageGrid project={open} shown={shown} />
      {pasting.value && (
        <SubjectsDialog project={open.id} onClose={() => (pasting.value = false)} />
      )}
    </section>
  );
}
