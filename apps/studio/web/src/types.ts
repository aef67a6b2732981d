// What the server sends and takes, as apps/studio/routes/openapi.json describes it.
export type * from "./result_types";

export interface Settings {
  score: string;
  k: number;
  alpha: string;
  simultaneous: boolean;
  use_corrections: boolean;
  /** Which new image the guarantee is for, where subjects have several. */
  target: Target;
  mm_per_pixel: number | null;
}

/** A random image of a new subject, or a random image of the rest of the pool. */
export type Target = "subject" | "image";

export type SamplingKind = "none" | "random" | "given";

/** A size of the sample at which regions carry the guarantee, with its share of alpha. */
export interface Look {
  size: number;
  alpha: string;
}

export interface Sampling {
  kind: SamplingKind;
  size: number;
  seed: number;
  /** By the caller; else the server drew it. */
  seed_given: boolean;
  drawn_at: string | null;
  /** Planned; empty: one, when all of the sample is labeled. */
  looks: Look[];
  /** Results had been seen when it was drawn: no guarantee. */
  after_results: boolean;
}

/** What happened that the guarantee depends on; nothing of it is taken back. */
export interface Integrity {
  removed: number;
  results_seen_at: string | null;
  resized_at: string | null;
  retargeted_at: string | null;
  rescaled_at: string | null;
  relabeled_at: string | null;
  restored_at: string | null;
  backup_at: string | null;
}

export interface Project {
  id: number;
  name: string;
  created_at: string;
  backbone: string;
  working_size: string;
  precision: string;
  settings: Settings;
  sampling: Sampling;
  integrity: Integrity;
  scheme_revision: number;
  num_images: number;
  num_landmarks: number;
}

export interface Landmark {
  id: number;
  name: string;
  color: string;
  /** The name of its other side, left or right. */
  pair: string | null;
}

/** A landmark on its way to the server; without an id it is new. */
export interface LandmarkDraft {
  id?: number;
  name: string;
  color?: string;
  pair?: string | null;
}

export interface Scheme {
  revision: number;
  landmarks: Landmark[];
}

export interface StudioImage {
  id: number;
  name: string;
  width: number;
  height: number;
  subject: string | null;
  mm_per_pixel: number | null;
  added_at: string;
  /** Its place in the random order; null: added after the sample was drawn. */
  order: number | null;
  in_sample: boolean;
  /** open: labeled without sight of regions; finished: its labels are frozen. */
  audit: "none" | "open" | "finished";
  complete: boolean;
  num_points: number;
  /** The same of the second reading. */
  complete_2: boolean;
  num_points_2: number;
  revision: number;
  /** Whether its regions were ever shown. */
  seen: boolean;
}

export type PointState = "visible" | "hidden" | "missing";
export type Source = "blind" | "accept" | "correct" | "import" | "restore" | "auto";

export interface Point {
  landmark: number;
  state: PointState;
  /** In pixels of the original, from its upper left corner; null when missing. */
  x: number | null;
  y: number | null;
  annotator: string;
  at: string;
  source: Source;
}

export interface Reading {
  revision: number;
  points: Point[];
  complete: boolean;
  changed_by: string;
  changed_at: string;
}

/** What becomes of one landmark; state null takes its point back. */
export interface Edit {
  landmark: number;
  state: PointState | null;
  x?: number;
  y?: number;
}

export type ReadingNumber = 1 | 2;

/** One change of an image by an annotator. Sent twice under one `change`, it happens once. */
export interface Change {
  change: string;
  reading: ReadingNumber;
  base: number;
  annotator: string;
  source: "blind" | "accept" | "correct";
  edits: Edit[];
}

export interface HistoryEntry {
  revision: number;
  reading: ReadingNumber;
  landmark: number;
  landmark_name: string;
  state: PointState | null;
  x: number | null;
  y: number | null;
  annotator: string;
  at: string;
  source: Source;
  change: string;
}

export interface TextFile {
  name: string;
  text: string;
}

export interface ImportRequest {
  files: TextFile[];
  format?: string;
  tps_y?: "bottom" | "top";
  slicer_scale?: number;
  image_extension?: string;
  annotator: string;
  add_landmarks: boolean;
  overwrite: boolean;
}

export interface ImportResult {
  images: number;
  points: number;
  new_landmarks: string[];
  unknown_images: string[];
  skipped: number;
  warnings: string[];
}

export interface Health {
  status: string;
  version?: string;
  backbone?: string;
  /** Of new projects. */
  score?: string;
  k?: number;
  working_size?: string;
  login: boolean;
}

/** Where the patches of an image lie, in pixels of the original. */
export interface Grid {
  working_size: string;
  columns: number;
  rows: number;
  x: number[];
  y: number[];
  patch_width: number;
  patch_height: number;
}

/** Which values an image with more than 8 bits has; others have none. */
export type ImageValues =
  | { deep: false }
  | { deep: true; least: number; most: number; low: number; high: number };

/** A length between two landmarks, or an angle: at the second of three, or between two lines. */
export interface Measure {
  name: string;
  kind: "distance" | "angle";
  landmarks: number[];
}

export interface Measures {
  revision: number;
  measures: Measure[];
  /** Lines that are drawn between landmarks. */
  skeleton: [number, number][];
}

export type EventName =
  | "project"
  | "scheme"
  | "images"
  | "image"
  | "embedding"
  | "calibration"
  | "prediction"
  | "acceptance";

/** What the server pushes; only the keys that apply are there. */
export interface StudioEvent {
  name: EventName;
  project?: number;
  image?: number;
  revision?: number;
  reading?: ReadingNumber;
  annotator?: string;
  change?: string;
  done?: number;
  total?: number;
}
