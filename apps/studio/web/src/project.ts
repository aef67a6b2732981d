// The open project with its scheme and images: loaded once, kept fresh by the server's events.
import { batch, computed, signal } from "@preact/signals";
import * as api from "./api";
import { listenTo, onEvent, onReconnect } from "./events";
import { keepNewer } from "./image_freshness";
import type { Landmark, Project, Reading, ReadingNumber, StudioEvent, StudioImage } from "./types";

export const project = signal<Project | null>(null);
export const schemeRevision = signal(0);
export const landmarks = signal<Landmark[]>([]);
export const images = signal<StudioImage[]>([]);
/** Why the project could not be opened; null: it was, or is on its way. */
export const projectError = signal<string | null>(null);
/** Which project's scheme and images these are; null while they are on their way. */
export const loaded = computed(() => project.value?.id ?? null);

export const landmarkById = computed(() => new Map(landmarks.value.map((one) => [one.id, one])));
export const imageById = computed(() => new Map(images.value.map((one) => [one.id, one])));

/** The images to label blind, in the order in which they are to be labeled. */
export const sample = computed(() =>
  images.value
    .filter((image) => image.in_sample)
    .sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity)),
);

/** The images of the open audit, in their random order. */
export const auditImages = computed(() =>
  images.value
    .filter((image) => image.audit === "open")
    .sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity)),
);

/** Whether an image is reviewed with its regions: it is neither in the sample nor in an audit. */
export const isForReview = (image: StudioImage): boolean =>
  !image.in_sample && image.audit === "none";

let current: number | null = null;

/** Opens the project with this number; null closes it. Opening the open one does nothing. */
export async function openProject(id: number | null): Promise<void> {
  if (id === current && projectError.value === null) return;
  current = id;
  batch(clear);
  listenTo(id);
  if (id !== null) await reloadProject();
}

function clear(): void {
  project.value = null;
  landmarks.value = [];
  images.value = [];
  projectError.value = null;
}

let asked = 0;
let answered = 0;

/** Asks the server for everything again. */
export async function reloadProject(): Promise<void> {
  const id = current;
  if (id === null) return;
  const turn = ++asked;
  try {
    const [found, scheme, all] = await Promise.all([
      api.getProject(id),
      api.scheme(id),
      api.images(id),
    ]);
    // Answers may overtake each other; an older one must not replace a newer one.
    if (id !== current || turn < answered) return;
    answered = turn;
    show(found, scheme, all);
  } catch (error) {
    // A server that is away for a moment does not take the page away from who works on it.
    if (id === current && loaded.value === null) projectError.value = (error as Error).message;
  }
}

function show(
  found: Project,
  scheme: { revision: number; landmarks: Landmark[] },
  all: StudioImage[],
) {
  batch(() => {
    project.value = found;
    schemeRevision.value = scheme.revision;
    landmarks.value = scheme.landmarks;
    images.value = keepNewer(all, imageById.peek());
    projectError.value = null;
  });
}

/** Takes over the points of an image as the server acknowledged them. */
export function noteReading(
  of: number,
  image: number,
  number: ReadingNumber,
  reading: Reading,
): void {
  const known = of === current ? imageById.peek().get(image) : undefined;
  if (known === undefined) return;
  const { revision, complete, points } = reading;
  if (number === 2) {
    replaceImage({ ...known, complete_2: complete, num_points_2: points.length });
  } else if (known.revision < revision) {
    replaceImage({ ...known, revision, complete, num_points: points.length });
  }
}

/** Puts an image as the server has it now among the others. */
export function replaceImage(image: StudioImage): void {
  images.value = images.value.map((one) => (one.id === image.id ? image : one));
}

async function refreshImage(id: number): Promise<void> {
  const opened = current;
  if (opened === null) return;
  const image = await api.getImage(opened, id).catch(() => null);
  // Answers may overtake each other; what is older than what is known comes too late.
  const known = imageById.value.get(id);
  if (image && opened === current && image.revision >= (known?.revision ?? 0)) replaceImage(image);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

// While a folder is uploaded, events come by the hundred: one reload answers them all.
function reloadSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => void reloadProject(), 150);
}

function follow(event: StudioEvent): void {
  if (event.name === "image" && event.image !== undefined) void refreshImage(event.image);
  else if (event.name === "project" || event.name === "scheme" || event.name === "images") {
    reloadSoon();
  }
}

onEvent(follow);
onReconnect(() => void reloadProject());
