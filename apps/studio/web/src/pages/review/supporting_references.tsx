// "Supported by": the labeled patches that speak for a place of the open image.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { imageById } from "../../project";
import { asSentence } from "../../regions/guarantee";
import type { ImageRegions, LandmarkProposal } from "../../regions/image_regions";
import type { Landmark, SupportingReference } from "../../types";

interface SupportProps {
  project: number;
  regions: ImageRegions;
  landmark: Landmark;
  /** The patch under the cursor; null: none, so the proposal's is shown. */
  patch: number | null;
}

// A cursor that crosses the image asks for the patches where it rests only.
const restMilliseconds = 120;

/** The supporting references of a patch; those of the proposal are known without asking. */
function useSupportingReferences(
  props: SupportProps,
  proposal: LandmarkProposal | undefined,
): readonly SupportingReference[] | null {
  const asked = useSignal<{ patch: number; references: SupportingReference[] } | null>(null);
  const { project, regions, landmark, patch } = props;
  const known = patch === null || patch === proposal?.patch;
  useEffect(() => {
    if (known || patch === null) return undefined;
    let current = true;
    const timer = setTimeout(async () => {
      const references = await api
        .supportingReferences(project, regions.image, landmark.id, patch)
        .catch(() => null);
      if (current && references !== null) asked.value = { patch, references };
    }, restMilliseconds);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [project, regions, landmark.id, patch, known]);
  if (known) return proposal?.supportingReferences ?? null;
  return asked.value?.patch === patch ? asked.value.references : null;
}

/** A square of about three patches, so that one sees what is around; where cells are smaller, a
 *  twelfth of the image. */
function radiusOf({ grid }: ImageRegions): number {
  const [from = 0, to = 16] = grid.x;
  const side = Math.max(grid.x.at(-1) ?? 0, grid.y.at(-1) ?? 0);
  return Math.max(8, Math.round(Math.max(1.5 * (to - from), side / 24)));
}

function NoRegion({ landmark, why }: { landmark: Landmark; why: string | undefined }) {
  return (
    <section class="support">
      <h3>No region for “{landmark.name}”</h3>
      <p class="muted small-text">
        {asSentence(why ?? "it is not calibrated yet")} Click the image to place it by hand.
      </p>
    </section>
  );
}

export function SupportingReferences(props: SupportProps) {
  const { project, regions, landmark, patch } = props;
  const proposal = regions.proposals.get(landmark.id);
  const references = useSupportingReferences(props, proposal);
  if (proposal === undefined)
    return <NoRegion landmark={landmark} why={regions.unavailable.get(landmark.id)} />;
  const shown = patch ?? proposal.patch;
  const radius = radiusOf(regions);
  return (
    <section class="support" aria-label={`What supports ${landmark.name}`}>
      <h3>
        Supported by{" "}
        <small>
          {patch === null || patch === proposal.patch ? "at the proposal" : "under the cursor"}
        </small>
      </h3>
      <p class="muted small-text">
        The labeled images most similar here (p-value {proposal.region.p(shown).toFixed(3)})
      </p>
      <ul class="support-list">
        {references?.map((one) => (
          <li key={`${one.image} ${one.patch}`}>
            <img
              src={api.patchUrl(project, one.image, one.x, one.y, radius)}
              alt=""
              width={84}
              height={84}
            />
            <span title={imageById.value.get(one.image)?.name}>
              {imageById.value.get(one.image)?.name ?? `image ${one.image}`}
            </span>
            <small title="Score of this labeled image; smaller is more similar">
              score {one.score.toFixed(3)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
