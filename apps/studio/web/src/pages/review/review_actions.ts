// What a reviewer does with the open image; every step is saved at once and can be taken back.
import { type Signal, useSignal } from "@preact/signals";
import { frozenWords, isFrozen } from "../../sync/frozen";
import * as history from "../../sync/undo";
import { announce, toast } from "../../components/toast";
import { requireName } from "../../preferences";
import { landmarkById, landmarks } from "../../project";
import type { ImageRegions } from "../../regions/image_regions";
import { isAsAsked } from "../../sync/entry";
import type { OpenReading } from "../../sync/use_reading";
import type { Change, Edit, Point, StudioImage } from "../../types";
import { type Position, onImage } from "../../viewer/view";
import { nextOpen } from "./review_order";

interface World {
  /** Names the reading of the image, for what can be taken back. */
  lane: string;
  image: StudioImage;
  open: OpenReading;
  regions: ImageRegions | null;
  /** The landmark to look at first: that which conforms least; null: the first that is open. */
  first: number | null;
  /** Called when something is accepted and nothing is left to accept. */
  onDone: () => void;
}

/** The image as it is in one rendering of the page, and what may be done with it. */
export class ReviewActions {
  constructor(
    private readonly world: World,
    /** undefined: nothing was selected, so the first open landmark is. */
    private readonly chosen: Signal<number | null | undefined>,
  ) {}

  get points(): readonly Point[] {
    return this.world.open.reading?.points ?? [];
  }

  get selected(): number | null {
    if (this.chosen.value !== undefined) return this.chosen.value;
    const { first } = this.world;
    return first !== null && this.pointOf(first) === undefined ? first : this.nextOpen(null);
  }

  /** Whether every landmark has been decided on. */
  get complete(): boolean {
    return this.world.open.reading !== null && this.nextOpen(null) === null;
  }

  get canUndo(): boolean {
    return history.canTakeBack(this.world.lane);
  }

  get canRedo(): boolean {
    return history.canDoAgain(this.world.lane);
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

  /** Returns false at the ends of the list, so that Tab goes on to the next control. */
  selectNext(step: number): boolean {
    const all = landmarks.value.map((landmark) => landmark.id);
    const next = all[(this.selected === null ? -1 : all.indexOf(this.selected)) + step];
    if (next === undefined) return false;
    this.select(next);
    return true;
  }

  accept(): void {
    if (this.complete) return this.world.onDone();
    const edit = this.selected === null ? null : this.proposalEdit(this.selected);
    if (edit === null) this.goOn([]);
    else void this.store([edit], "accept");
  }

  acceptAll(): void {
    const edits = landmarks.value.map((landmark) => this.proposalEdit(landmark.id));
    void this.storeAll(edits.filter((edit): edit is Edit => edit !== null));
  }

  /** Goes on to the next image where nothing is left to decide. */
  private async storeAll(edits: Edit[]): Promise<void> {
    if (!(await this.change(edits, "accept"))) return;
    const decided = new Set([...this.points, ...edits].map((one) => one.landmark));
    if (landmarks.value.every((landmark) => decided.has(landmark.id))) this.world.onDone();
    else this.goOn(edits);
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

  /** Not in the image; once more takes it back. */
  toggleMissing(): void {
    const landmark = this.selected;
    if (landmark === null) return;
    if (this.pointOf(landmark)?.state === "missing") return this.remove();
    void this.store([{ landmark, state: "missing" }], "correct");
  }

  /** The place is known though it cannot be seen; once more: it can. */
  toggleHidden(): void {
    const landmark = this.selected;
    const at = landmark === null ? null : this.placeOf(landmark);
    if (landmark === null || at === null) return;
    const state = this.pointOf(landmark)?.state === "hidden" ? "visible" : "hidden";
    this.chosen.value = landmark;
    void this.change([{ ...this.visible(landmark, at), state }], "correct");
  }

  remove(): void {
    const landmark = this.selected;
    if (landmark === null || this.pointOf(landmark) === undefined) return;
    this.chosen.value = landmark;
    void this.change([{ landmark, state: null }], "correct");
  }

  undo(): void {
    const step = history.takeBack(this.world.lane);
    // What is taken back is a decision of the reviewer, whatever it was before.
    if (step !== null) this.retrace(step.after, step.before, "correct");
  }

  redo(): void {
    const step = history.doAgain(this.world.lane);
    if (step !== null) this.retrace(step.before, step.after, step.source ?? "correct");
  }

  private retrace(from: Edit[], to: Edit[], source: Change["source"]): void {
    const { open, lane } = this.world;
    const { reading } = open;
    if (reading === null || !from.every((edit) => isAsAsked(reading, edit))) {
      history.forget(lane);
      return toast("Another annotator changed this since; nothing was undone.");
    }
    open.change(to, source);
    this.chosen.value = to[0]?.landmark ?? null;
  }

  private async store(edits: Edit[], source: Change["source"]): Promise<void> {
    if (await this.change(edits, source)) this.goOn(edits);
  }

  private async change(edits: Edit[], source: Change["source"], nudge = false): Promise<boolean> {
    const { open, lane, image } = this.world;
    if (isFrozen(image, 1)) {
      toast(frozenWords);
      return false;
    }
    if (edits.length === 0 || open.reading === null || (await requireName()) === null) return false;
    const before = edits.map((edit) => history.asItIs(this.points, edit.landmark));
    history.note(lane, { before, after: edits, source }, nudge);
    open.change(edits, source);
    return true;
  }

  private goOn(edits: readonly Edit[]): void {
    const decided = new Set([...this.points, ...edits].map((one) => one.landmark));
    const next = nextOpen(
      landmarks.value.map((landmark) => landmark.id),
      decided,
      this.selected,
    );
    if (next !== null) this.select(next);
    else announce("All landmarks of this image are decided. Enter goes to the next image.");
  }

  private nextOpen(after: number | null): number | null {
    const decided = new Set(this.points.map((point) => point.landmark));
    return nextOpen(
      landmarks.value.map((landmark) => landmark.id),
      decided,
      after,
    );
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
  return new ReviewActions(world, useSignal<number | null | undefined>(undefined));
}
