// What a reviewer does with the open image; every step is saved at once and can be taken back.
import { type Signal, useSignal } from "@preact/signals";
import { announce } from "../components/toast";
import { requireName } from "../preferences";
import { landmarkById, landmarks } from "../project";
import type { ImageRegions } from "../regions/image_regions";
import type { OpenReading } from "../sync/use_reading";
import type { Change, Edit, Point, StudioImage } from "../types";
import { type Position, onImage } from "../viewer/view";
import { nextOpen } from "./review_order";
import { type Steps, noSteps, redo, stepOf, undo, withStep } from "./review_steps";

interface World {
  image: StudioImage;
  open: OpenReading;
  regions: ImageRegions | null;
  /** Called when something is accepted and nothing is left to accept. */
  onDone: () => void;
}

/** The image as it is in one rendering of the page, and what may be done with it. */
export class ReviewActions {
  constructor(
    private readonly world: World,
    /** undefined: nobody has selected anything, so the first open landmark is. */
    private readonly chosen: Signal<number | null | undefined>,
    private readonly steps: Signal<Steps>,
  ) {}

  get points(): readonly Point[] {
    return this.world.open.reading?.points ?? [];
  }

  get selected(): number | null {
    return this.chosen.value === undefined ? this.nextOpen(null) : this.chosen.value;
  }

  /** Whether every landmark has been decided on. */
  get complete(): boolean {
    return this.world.open.reading !== null && this.nextOpen(null) === null;
  }

  get canUndo(): boolean {
    return this.steps.value.done.length > 0;
  }

  get canRedo(): boolean {
    return this.steps.value.undone.length > 0;
  }

  /** Where a landmark is, or is proposed to be; null where neither is known. */
  placeOf(landmark: number): Position | null {
    const point = this.pointOf(landmark);
    if (point === undefined) return this.world.regions?.proposals.get(landmark) ?? null;
    return point.x === null || point.y === null ? null : { x: point.x, y: point.y };
  }

  select(landmark: number | null): void {
    this.chosen.value = landmark;
    const name = landmark === null ? undefined : landmarkById.value.get(landmark)?.name;
    if (name !== undefined) announce(name);
  }

  selectNext(step: number): void {
    const all = landmarks.value.map((landmark) => landmark.id);
    const at = this.selected === null ? -1 : all.indexOf(this.selected);
    this.select(all[(at + step + all.length) % all.length] ?? null);
  }

  accept(): void {
    if (this.complete) return this.world.onDone();
    const edit = this.selected === null ? null : this.proposalEdit(this.selected);
    if (edit === null) this.goOn([]);
    else void this.store([edit], "accept");
  }

  acceptAll(): void {
    const edits = landmarks.value.map((landmark) => this.proposalEdit(landmark.id));
    void this.store(edits.filter((edit): edit is Edit => edit !== null), "accept");
  }

  correct(landmark: number, at: Position): void {
    this.chosen.value = landmark;
    void this.change([this.visible(landmark, at)], "correct");
  }

  nudge(dx: number, dy: number): void {
    const landmark = this.selected;
    const at = landmark === null ? null : this.placeOf(landmark);
    if (landmark === null || at === null) return;
    this.chosen.value = landmark;
    void this.change([this.visible(landmark, { x: at.x + dx, y: at.y + dy })], "correct", true);
  }

  markMissing(): void {
    if (this.selected !== null) void this.store([{ landmark: this.selected, state: "missing" }], "correct");
  }

  takeBack(): void {
    const landmark = this.selected;
    if (landmark === null || this.pointOf(landmark) === undefined) return;
    this.chosen.value = landmark;
    void this.change([{ landmark, state: null }], "correct");
  }

  undo(): void {
    const found = undo(this.steps.value);
    // What is taken back is a decision of the reviewer, whatever it was before.
    if (found !== null) this.travel(found.steps, found.step.before, "correct");
  }

  redo(): void {
    const found = redo(this.steps.value);
    if (found !== null) this.travel(found.steps, found.step.after, found.step.source);
  }

  private travel(steps: Steps, edits: Edit[], source: Change["source"]): void {
    this.steps.value = steps;
    this.world.open.change(edits, source);
    this.chosen.value = edits[0]?.landmark ?? null;
  }

  private async store(edits: Edit[], source: Change["source"]): Promise<void> {
    if (await this.change(edits, source)) this.goOn(edits);
  }

  private async change(edits: Edit[], source: Change["source"], joins = false): Promise<boolean> {
    const { open } = this.world;
    if (edits.length === 0 || open.reading === null || (await requireName()) === null) return false;
    this.steps.value = withStep(this.steps.value, stepOf(edits, source, this.points, joins));
    open.change(edits, source);
    return true;
  }

  private goOn(edits: readonly Edit[]): void {
    const decided = new Set([...this.points, ...edits].map((one) => one.landmark));
    const next = nextOpen(landmarks.value.map((landmark) => landmark.id), decided, this.selected);
    if (next !== null) this.select(next);
    else announce("All landmarks of this image are decided. Enter goes to the next image.");
  }

  private nextOpen(after: number | null): number | null {
    const decided = new Set(this.points.map((point) => point.landmark));
    return nextOpen(landmarks.value.map((landmark) => landmark.id), decided, after);
  }

  private pointOf(landmark: number): Point | undefined {
    return this.points.find((point) => point.landmark === landmark);
  }

  private visible(landmark: number, at: Position): Edit {
    return { landmark, state: "visible", ...onImage({ x: at.x, y: at.y }, this.world.image) };
  }

  private proposalEdit(landmark: number): Edit | null {
    const proposal = this.world.regions?.proposals.get(landmark);
    if (proposal === undefined || this.pointOf(landmark) !== undefined) return null;
    return this.visible(landmark, proposal);
  }
}

export function useReviewActions(world: World): ReviewActions {
  const chosen = useSignal<number | null | undefined>(undefined);
  const steps = useSignal<Steps>(noSteps);
  return new ReviewActions(world, chosen, steps);
}
