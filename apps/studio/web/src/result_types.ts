// What the server says of results: guarantee, regions, queue, audits, comparison, acceptance.

export interface Guarantee {
  kind: "marginal" | "simultaneous" | "none";
  /** At which regions carry it: the target, or the share of the last look that is reached. */
  alpha: string;
  /** Regions miss with at most this probability: with planned looks the target. */
  guaranteed_alpha: string;
  by_design: boolean;
  /** Nothing is wrong; labels or embeddings are to come. */
  waiting: boolean;
  why_none: string;
  holds_for: string;
  assumption: string;
}

export interface Progress {
  done: number;
  total: number;
}

export interface Status {
  calibration: number;
  num_images: number;
  sample_size: number;
  num_labeled: number;
  num_reviewed: number;
  num_rest: number;
  n: number;
  rank: number;
  feasible: boolean;
  smallest_feasible_alpha: number;
  /** Whether calibration images weigh more or less, by the images of their subjects. */
  weighted: boolean;
  needs: { alpha: string; labels: number; more: number }[];
  landmarks: { landmark: number; n: number; rank: number; feasible: boolean }[];
  guarantee: Guarantee;
  look: { number: number; count: number; size: number; next: number | null };
  alarm: {
    steps: { image: number; p: number; log10_wealth: number }[];
    log10_largest: number;
    raised: boolean;
  };
  reviewed: { images: number; points: number; covered: number; images_covered: number };
  embedding: Progress;
  prediction: Progress;
  failed: string[];
}

export interface SupportingReference {
  image: number;
  patch: number;
  score: number;
  x: number;
  y: number;
}

export interface LandmarkRegion {
  landmark: number;
  /** Images that calibrate. */
  n: number;
  /** What they weigh; without weights n. A p-value is (1 + exceeding) / (units + 1). */
  units: number;
  /** Per patch, what calibration scores that are at least as large weigh; -1: no score. */
  exceeding: number[];
  /** The proposed patch and its center. */
  proposal: number;
  x: number;
  y: number;
  supporting_references: SupportingReference[];
}

export interface Regions {
  image: number;
  calibration: number;
  columns: number;
  rows: number;
  /** Borders of the columns and rows of patches, in pixels of the original. */
  x: number[];
  y: number[];
  guarantee: Guarantee;
  landmarks: LandmarkRegion[];
  unavailable: { landmark: number; why: string }[];
}

export interface QueueImage {
  image: number;
  reviewed: boolean;
  predicted: boolean;
  /** Landmarks for which no location conforms. */
  empty_regions: number;
  /** The smallest p-value of its proposals, one for each landmark. */
  lowest_p_value: number;
  mean_p_value: number;
  mean_score_over_threshold: number | null;
  shape_deviation: number | null;
  total_size: number;
  largest_size: number;
  mean_size: number;
  /** The landmark that conforms least. */
  worst_landmark: number | null;
  /** Of a region, in square pixels of the original, and as a share of the image. */
  mean_area: number;
  mean_share: number;
}

/** What an audit says of one landmark, or (null) of all landmarks of an image at once. */
export interface AuditFinding {
  landmark: string | null;
  misses: number;
  absent: number;
  remaining_hits: number;
  share: number;
  percent: string;
  statement: string;
  missed: string[];
}

export interface Audit {
  state: "open" | "finished" | "discarded";
  size: number;
  num_labeled: number;
  /** Audits of the project that were begun before, also discarded ones. */
  begun_before: number;
  population: number;
  unit: "image" | "subject";
  alpha: string;
  simultaneous: boolean;
  begun_at: string;
  finished_at: string | null;
  discarded_at: string | null;
  why_void: string;
  assumption: string;
  findings: { images: AuditFinding; landmarks: AuditFinding[] } | null;
}

export interface AuditOffer {
  size: number;
  /** Lower bounds after 0, 1 and 2 misses. */
  percents: string[];
}

export interface Audits {
  confidence: string;
  population: number;
  largest: number;
  why_none: string;
  offers: AuditOffer[];
  audits: Audit[];
}

export interface ComparisonPair {
  image: number;
  landmark: number;
  distance: number;
  distance_mm: number | null;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface ComparisonSummary {
  count: number;
  mean: number;
  median: number;
  p95: number;
  largest: number;
  mean_mm: number | null;
}

export interface Comparison {
  pairs: ComparisonPair[];
  summary: ComparisonSummary;
  landmarks: {
    landmark: number;
    count: number;
    mean: number;
    median: number;
    largest: number;
    mean_mm: number | null;
  }[];
}

export interface AcceptedLandmark {
  landmark: number | null;
  name: string;
  candidates: number;
  accepted: number;
  wrong_in_calibration: number;
}

/** Where accepting without review stands; what comes after `guarantee` is that of a plan. */
export interface Acceptance {
  why_none: string;
  state: "none" | "planned" | "ready" | "accepted" | "discarded";
  num_labeled: number;
  num_possible: number;
  claim: string;
  assumption: string;
  warning: string;
  guarantee: { kind: "FDR" | "none"; by_design: boolean; why_none: string };
  tolerance?: string;
  q?: string;
  unit?: "points" | "images";
  chosen_at?: string;
  decided_at?: string | null;
  accepted_at?: string | null;
  accepted_by?: string | null;
  num_references?: number;
  num_calibration?: number;
  num_candidates?: number;
  num_points?: number;
  num_accepted?: number;
  num_images_accepted?: number;
  landmarks?: AcceptedLandmark[];
  left_out?: string[];
}
