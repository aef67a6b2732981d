// Every call of the server, typed. Calls that fail throw ApiError (src/request.ts).
import { query, request } from "./request";
import type {
  Acceptance,
  Audits,
  Change,
  Comparison,
  Grid,
  Health,
  HistoryEntry,
  ImageValues,
  ImportRequest,
  ImportResult,
  LandmarkDraft,
  Measures,
  Project,
  QueueImage,
  Reading,
  ReadingNumber,
  Regions,
  Scheme,
  Settings,
  Status,
  StudioImage,
  SupportingReference,
  TextFile,
} from "./types";

export { ApiError } from "./request";

const project = (p: number) => `/v1/projects/${p}`;
const image = (p: number, i: number) => `${project(p)}/images/${i}`;

// ---- The server and its projects

export const health = () => request<Health>("/v1/health");

export const projects = async () =>
  (await request<{ projects: Project[] }>("/v1/projects")).projects;

/** What is not given is the server's default. */
export const createProject = (
  name: string,
  settings: Partial<Settings> = {},
  working_size?: string,
) => request<Project>("/v1/projects", { method: "POST", json: { name, settings, working_size } });

export const getProject = (p: number) => request<Project>(project(p));

/** 409 with body.confirm where the target would change after results were seen, unless `confirm`:
 *  that costs the guarantee. */
export const updateProject = (
  p: number,
  patch: {
    name?: string;
    settings?: Partial<Settings>;
    /** Other than now, all images are embedded again. */
    working_size?: string;
    confirm?: boolean;
  },
) => request<Project>(project(p), { method: "PATCH", json: patch });

export const deleteProject = (p: number) => request<void>(project(p), { method: "DELETE" });

/** What sample is wanted; `confirm` where it costs the guarantee. */
export type SampleRequest = (
  | { size: number }
  | { looks: { size: number }[] }
  | { from: "labeled" }
) & { confirm?: boolean };

/** Draws the images to label blind at random, or takes those that are labeled as given; called
 *  again, changes the size. 409 with body.confirm where that costs the guarantee. */
export const drawSample = (p: number, how: SampleRequest) =>
  request<Project>(`${project(p)}/sample`, { method: "POST", json: how });

export const annotators = async (p: number) =>
  (await request<{ annotators: string[] }>(`${project(p)}/annotators`)).annotators;

// ---- The scheme of landmarks

export const scheme = (p: number) => request<Scheme>(`${project(p)}/scheme`);

/** 409 if the revision differs, if points would be lost without dropPoints (body.points), or if the
 *  landmarks of a simultaneous target would change after results were seen, unless `confirm`
 *  (body.confirm): that costs the guarantee. */
export const saveScheme = (
  p: number,
  revision: number,
  landmarks: LandmarkDraft[],
  dropPoints = false,
  confirm = false,
) =>
  request<Scheme>(`${project(p)}/scheme`, {
    method: "PUT",
    json: { revision, landmarks, drop_points: dropPoints, confirm },
  });

/** The landmarks that annotation files name; stores nothing. */
export const proposeScheme = async (p: number, files: TextFile[], format?: string) =>
  (
    await request<{ landmarks: LandmarkDraft[] }>(`${project(p)}/scheme/import`, {
      method: "POST",
      json: { files, format },
    })
  ).landmarks;

// ---- Images

export const images = async (p: number) =>
  (await request<{ images: StudioImage[] }>(`${project(p)}/images`)).images;

export const getImage = (p: number, i: number) => request<StudioImage>(image(p, i));

export const updateImage = (
  p: number,
  i: number,
  patch: { subject?: string | null; mm_per_pixel?: number | null },
) => request<StudioImage>(image(p, i), { method: "PATCH", json: patch });

export const deleteImage = (p: number, i: number) =>
  request<void>(image(p, i), { method: "DELETE" });

/** 409 where the name or the content already exists (body.image). */
export const uploadImage = (
  p: number,
  bytes: Blob,
  about: { name: string; subject?: string; mm_per_pixel?: number; page?: number },
  signal?: AbortSignal,
) =>
  request<StudioImage>(`${project(p)}/images${query(about)}`, {
    method: "POST",
    bytes,
    timeout: 300_000,
    signal,
  });

export const thumbnailUrl = (p: number, i: number) => `${image(p, i)}/thumbnail`;
/** Which values of an image with more than 8 bits are black and white. */
export interface Window {
  low: number;
  high: number;
}

export const previewUrl = (p: number, i: number, window?: Window) =>
  `${image(p, i)}/preview${query({ ...window })}`;
export const tileUrl = (p: number, i: number, column: number, row: number, window?: Window) =>
  `${image(p, i)}/tiles/${column}/${row}${query({ ...window })}`;

/** Which values an image has, and which are shown unless another window is asked for. */
export const imageValues = (p: number, i: number) => request<ImageValues>(`${image(p, i)}/values`);

export const gridOfImage = (p: number, i: number, working_size?: string) =>
  request<Grid>(`${image(p, i)}/grid${query({ working_size })}`);

/** Of an image that is not here yet, in a new project. */
export const gridOfSize = (width: number, height: number, working_size: string) =>
  request<Grid>(`/v1/grid${query({ width, height, working_size })}`);
export const patchUrl = (p: number, i: number, x: number, y: number, radius = 24) =>
  `${image(p, i)}/patch${query({ x, y, radius })}`;

// ---- Annotations (use src/sync to change them: it never loses one)

export const reading = (p: number, i: number, number: ReadingNumber = 1) =>
  request<Reading>(`${image(p, i)}/annotations${query({ reading: number })}`);

/** 409 with body.current, a Reading, if the image has another revision than change.base. */
export const annotate = (p: number, i: number, change: Change) =>
  request<Reading>(`${image(p, i)}/annotations`, { method: "POST", json: change, timeout: 15_000 });

/** Newest first. */
export const history = async (p: number, i: number) =>
  (await request<{ history: HistoryEntry[] }>(`${image(p, i)}/history`)).history;

// ---- Regions

export const status = (p: number, simultaneous?: boolean) =>
  request<Status>(`${project(p)}/status${query({ simultaneous })}`);

/** 409 for images of the sample, which are labeled blind. */
export const regions = (p: number, i: number, simultaneous?: boolean, signal?: AbortSignal) =>
  request<Regions>(`${image(p, i)}/regions${query({ simultaneous })}`, { signal });

export const supportingReferences = async (p: number, i: number, landmark: number, patch: number) =>
  (
    await request<{ supporting_references: SupportingReference[] }>(
      `${image(p, i)}/support${query({ landmark, patch })}`,
    )
  ).supporting_references;

export const reviewQueue = async (
  p: number,
  alpha: string,
  order: "worst" | "random",
  simultaneous?: boolean,
) =>
  (
    await request<{ images: QueueImage[] }>(
      `${project(p)}/queue${query({ alpha, order, simultaneous })}`,
    )
  ).images;

// ---- Accepting without review

export const acceptance = (p: number) => request<Acceptance>(`${project(p)}/acceptance`);

/** Fixes the choice, and decides which proposals can be accepted. */
export const planAcceptance = (
  p: number,
  plan: { tolerance: string; q: string; unit: "points" | "images" },
) =>
  request<Acceptance>(`${project(p)}/acceptance`, {
    method: "POST",
    json: plan,
    timeout: 3_600_000,
  });

/** Of a plan whose decision was interrupted. */
export const decideAcceptance = (p: number) =>
  request<Acceptance>(`${project(p)}/acceptance/decide`, { method: "POST", timeout: 3_600_000 });

export const acceptPoints = (p: number, annotator: string) =>
  request<Acceptance>(`${project(p)}/acceptance/accept`, {
    method: "POST",
    json: { annotator },
    timeout: 600_000,
  });

export const discardAcceptance = (p: number) =>
  request<Acceptance>(`${project(p)}/acceptance`, { method: "DELETE" });

// ---- Measures

export const measures = (p: number) => request<Measures>(`${project(p)}/measures`);

/** 409 with body.current where they were changed meanwhile. */
export const saveMeasures = (p: number, all: Measures) =>
  request<Measures>(`${project(p)}/measures`, { method: "PUT", json: all });

export const measuresUrl = (p: number, which: PointsOf) =>
  `${project(p)}/export/measures${query({ images: which })}`;

// ---- Audits

/** `together`: the statements of all landmarks hold at once; `size` is offered, too. */
export const audits = (p: number, question: { together?: boolean; size?: number } = {}) =>
  request<Audits>(`${project(p)}/audit${query(question)}`);

export const beginAudit = (p: number, size: number) =>
  request<Audits>(`${project(p)}/audit`, { method: "POST", json: { size } });

/** Freezes the labels of the open audit and shows what it found. */
export const finishAudit = (p: number) =>
  request<Audits>(`${project(p)}/audit/finish`, { method: "POST", timeout: 300_000 });

export const discardAudit = (p: number) =>
  request<Audits>(`${project(p)}/audit`, { method: "DELETE" });

export const comparison = (p: number, first: string, second: string) =>
  request<Comparison>(`${project(p)}/comparison${query({ first, second })}`);

// ---- Files in and out

export const importAnnotations = (p: number, what: ImportRequest) =>
  request<ImportResult>(`${project(p)}/import`, { method: "POST", json: what, timeout: 300_000 });

export type ExportFormat =
  | "csv"
  | "wide-csv"
  | "tps"
  | "pts"
  | "deeplabcut"
  | "deeplabcut-h5"
  | "sleap"
  | "coco"
  | "dlib"
  | "label-studio"
  | "slicer"
  | "tem"
  | "asf";

/** Which images points are exported of. */
export type PointsOf = "labeled" | "sample" | "reviewed" | "all";

export const exportUrl = (
  p: number,
  format: ExportFormat,
  which: PointsOf,
  more: { tps_y?: "bottom" | "top"; proposals?: boolean } = {},
) => `${project(p)}/export${query({ format, images: which, ...more })}`;

export const setsUrl = (p: number, format: "csv" | "json", alpha: string, simultaneous?: boolean) =>
  `${project(p)}/export/sets${query({ format, alpha, simultaneous })}`;

export const modelUrl = (p: number) => `${project(p)}/export/model`;
export const backupUrl = (p: number) => `${project(p)}/backup`;

/** A new project from the file that a backup gave. */
export const restore = (bytes: Blob, name?: string) =>
  request<Project>(`/v1/restore${query({ name })}`, { method: "POST", bytes, timeout: 600_000 });
