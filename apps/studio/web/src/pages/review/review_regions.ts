// The regions of the open image, asked for again whenever the calibration changes.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../../api";
import { onEvent, onReconnect } from "../../events";
import { ImageRegions } from "../../regions/image_regions";

export interface OpenRegions {
  /** null until they are known; those of the last calibration until new ones are there. */
  regions: ImageRegions | null;
  failure: string;
}

export function useRegions(project: number, image: number, simultaneous: boolean): OpenRegions {
  const regions = useSignal<ImageRegions | null>(null);
  const failure = useSignal("");
  useEffect(() => {
    let stopper = new AbortController();
    const load = async () => {
      stopper.abort();
      stopper = new AbortController();
      const { signal } = stopper;
      try {
        const found = await api.regions(project, image, simultaneous, signal);
        if (signal.aborted) return;
        regions.value = new ImageRegions(found);
        failure.value = "";
      } catch (error) {
        if (!signal.aborted) failure.value = (error as Error).message;
      }
    };
    void load();
    const ends = [
      onReconnect(() => void load()),
      onEvent((event) => {
        if (event.name === "calibration" || event.name === "scheme") void load();
      }),
    ];
    return () => {
      stopper.abort();
      ends.forEach((end) => end());
    };
  }, [project, image, simultaneous]);
  return { regions: regions.value, failure: failure.value };
}
