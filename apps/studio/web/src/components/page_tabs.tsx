// The pages of a project in the order of its work, with how far each is.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { images, isForReview, landmarks, project, sample } from "../project";
import { hrefOf, type PageName, type Route } from "../router";
import type { StudioImage } from "../types";

interface Tab {
  page: PageName;
  text: string;
  /** Under the name; empty: nothing to count. */
  progress: string;
  done: boolean;
}

const done = (list: readonly StudioImage[]) => list.filter((image) => image.complete).length;

function tabsOf(): Tab[] {
  const isDrawn = project.value !== null && project.value.sampling.kind !== "none";
  const blind = sample.value;
  const rest = images.value.filter(isForReview);
  const part = (list: readonly StudioImage[]) => ({
    progress: isDrawn && list.length > 0 ? `${done(list)} of ${list.length}` : "",
    done: isDrawn && list.length > 0 && done(list) === list.length,
  });
  const count = (number: number) => ({
    progress: number === 0 ? "" : String(number),
    done: number > 0,
  });
  return [
    { page: "images", text: "Images", ...count(images.value.length) },
    { page: "scheme", text: "Landmarks", ...count(landmarks.value.length) },
    { page: "annotate", text: "Label", ...part(blind) },
    { page: "review", text: "Review", ...part(rest) },
    { page: "export", text: "Export", progress: "", done: false },
  ];
}

const more: { page: PageName; text: string; about: string }[] = [
  { page: "accept", text: "Accept without review", about: "with few wrong ones" },
  { page: "audit", text: "Audit", about: "how many regions of this project are right" },
  { page: "measures", text: "Measures", about: "lengths, angles and lines" },
  { page: "compare", text: "Compare", about: "two annotators" },
  { page: "import", text: "Import", about: "points from files" },
  { page: "settings", text: "Settings", about: "name, scale, target, working size" },
];

export function PageTabs({ route }: { route: Route }) {
  return (
    <nav class="tabs" aria-label="Pages of the project">
      {tabsOf().map((tab) => (
        <a
          key={tab.page}
          href={hrefOf(tab.page, route.project)}
          aria-current={tab.page === route.page ? "page" : undefined}
        >
          <span>{tab.text}</span>
          <small class={tab.done ? "done" : ""}>
            {tab.done ? "✓ " : ""}
            {tab.progress}
          </small>
        </a>
      ))}
      <MorePages route={route} />
    </nav>
  );
}

/** The pages that not every project needs. */
function MorePages({ route }: { route: Route }) {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const current = more.find((one) => one.page === route.page);
  useEffect(() => {
    if (!open.value) return undefined;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Escape") return;
      if (event.type === "pointerdown" && root.current?.contains(event.target as Node)) return;
      open.value = false;
    };
    document.addEventListener("pointerdown", close, true);
    document.addEventListener("keydown", close, true);
    return () => {
      document.removeEventListener("pointerdown", close, true);
      document.removeEventListener("keydown", close, true);
    };
  }, [open.value]);
  return (
    <div class="more-pages" ref={root}>
      <button
        type="button"
        aria-expanded={open.value}
        class={current ? "current" : ""}
        onClick={() => (open.value = !open.value)}
      >
        <span>{current?.text ?? "More"}</span>
        <small aria-hidden="true">▾</small>
      </button>
      {open.value && (
        <ul>
          {more.map(({ page, text, about }) => (
            <li key={page}>
              <a
                href={hrefOf(page, route.project)}
                aria-current={page === route.page ? "page" : undefined}
                onClick={() => (open.value = false)}
              >
                <span>{text}</span>
                <small>{about}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
