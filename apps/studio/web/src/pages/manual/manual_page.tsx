// What the studio does, for people who label: a manual that needs no network.
import { Card, Sheet } from "../../components/page_parts";
import { AcceptFigure, GuaranteeFigure, LabelFigure, QueueFigure, SampleFigure } from "./figures";
import "./manual.css";

const sections = [
  { id: "idea", title: "The idea" },
  { id: "sample", title: "Images, landmarks and the sample" },
  { id: "label", title: "Label" },
  { id: "review", title: "Review" },
  { id: "guarantee", title: "What the guarantee means" },
  { id: "accept", title: "Accept without review" },
  { id: "audit", title: "Audit" },
  { id: "measure", title: "Measure" },
  { id: "export", title: "Export and backup" },
  { id: "trouble", title: "If something looks wrong" },
] as const;

/** Links within the page: its address after # names the page. */
function goTo(id: string): void {
  document.getElementById(`manual-${id}`)?.scrollIntoView({ block: "start" });
}

export function ManualPage() {
  return (
    <Sheet title="Manual" lead="How to get landmarks and regions for many images from few labels.">
      <nav class="manual-contents" aria-label="Contents">
        {sections.map(({ id, title }) => (
          <button key={id} type="button" class="button quiet" onClick={() => goTo(id)}>
            {title}
          </button>
        ))}
      </nav>
      <Section id="idea">
        <p>
          You label some images. The studio compares every patch of the other images with the
          labeled ones, proposes a point for each landmark, and draws a <strong>region</strong>{" "}
          around the places that look like it. Regions contain the true position at least 90 % of
          the time, on average, unless you choose another target.
        </p>
        <p>Everything stays on this computer. No image is sent anywhere.</p>
      </Section>
      <Section id="sample">
        <SampleFigure />
        <p>
          Drop a folder of images on the page <em>Images</em>, and name the landmarks on the page{" "}
          <em>Landmarks</em>. Then draw a sample: the studio picks images at random, and you label
          these. A random sample represents the rest; images chosen by hand do not. 30 images are a
          good start for a target of 90 %.
        </p>
        <p>
          A file with several pages asks which page to take. Of DICOM files, pixels and scale are
          kept, and nothing about the patient.
        </p>
      </Section>
      <Section id="label">
        <LabelFigure />
        <p>
          Click where the landmark is; the next one follows. The ring around a point leaves its
          middle open. Drag a point to move it, or use the arrow keys. Z zooms to the selected
          landmark and keeps the zoom for the next image; X hides points and names.
        </p>
        <p>
          A landmark outside the image is <em>not visible</em>. A landmark that is covered, but
          whose position you know, is <em>hidden</em>. If an image cannot be labeled at all, mark it
          as such instead of deleting it: the sample then stays random.
        </p>
        <p>
          The button ◐ changes brightness and contrast. Images with 16 bits also have a window and a
          level. This changes the screen only.
        </p>
      </Section>
      <Section id="review">
        <QueueFigure />
        <p>
          The images that conform least come first, with the worst landmark selected. An{" "}
          <strong>empty region</strong> means that no location looks like the labeled ones: check it
          first. Enter accepts the selected proposal, Shift+Enter all of an image and goes on, a
          drag corrects.
        </p>
      </Section>
      <Section id="guarantee">
        <GuaranteeFigure />
        <p>
          The badge at the top says what you may rely on; a click shows the details. 90 % is an
          average over all samples that might have been drawn. In your project the share can be
          somewhat lower or higher; an audit measures it. The guarantee is about regions: a proposed
          point has none.
        </p>
        <p>
          Some actions cost the guarantee, such as changing the target after you have seen regions.
          The page asks before.
        </p>
      </Section>
      <Section id="accept">
        <AcceptFigure />
        <p>
          Choose how far off a point may be and which share of wrong points you can bear, before you
          look. The studio accepts the proposals for which this holds on average, and leaves the
          rest in the queue.
        </p>
      </Section>
      <Section id="audit">
        <p>
          Label some more images without hints, and the studio says how many of the remaining
          regions are right at least, with 95 % confidence. Do this before the review: images whose
          regions were seen cannot be audited.
        </p>
      </Section>
      <Section id="measure">
        <p>
          On the page <em>Measures</em> you define lengths, angles and lines between landmarks. They
          are shown live while you label and review. For millimeters, set the scale on the page{" "}
          <em>Label</em>, <em>Measures</em>: two clicks on a ruler and its length.
        </p>
      </Section>
      <Section id="export">
        <p>
          Points are exported for R, tpsDig, DeepLabCut, SLEAP, COCO, 3D Slicer and others, with
          where each came from: labeled, corrected, accepted, auto-accepted or proposed. A backup
          holds the whole project, and is restored on the list of projects.
        </p>
      </Section>
      <Section id="trouble">
        <ul class="manual-list">
          <li>
            <strong>Regions are larger than 5 % of the image.</strong> Check the labeled points, try
            a smaller working size in Settings, make a new project with the score geometry, or label
            more images.
          </li>
          <li>
            <strong>"Guarantee in doubt".</strong> The labeled images do not look like a random
            order: something changed on the way, such as the device.
          </li>
          <li>
            <strong>"Offline".</strong> The server does not answer. Your clicks are kept in this
            browser and sent when it is back.
          </li>
        </ul>
      </Section>
    </Sheet>
  );
}

function Section(props: { id: (typeof sections)[number]["id"]; children: preact.ComponentChildren }) {
  const title = sections.find((one) => one.id === props.id)?.title ?? "";
  return (
    <div id={`manual-${props.id}`}>
      <Card title={title} class="manual-section">
        {props.children}
      </Card>
    </div>
  );
}
