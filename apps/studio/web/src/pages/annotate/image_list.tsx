import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../../api";
import type { ReadingNumber, StudioImage } from "../../types";
import { isComplete } from "./image_order";

const rowHeight = 60;

interface ImageListProps {
  project: number;
  images: StudioImage[];
  current: number | null;
  numLandmarks: number;
  /** Whose progress is shown. */
  reading: ReadingNumber;
  hrefOf: (image: number) => string;
}

/** The images to label. Only rows in sight exist, so thousands cost nothing. */
export function ImageList(props: ImageListProps) {
  const { project, images, current, numLandmarks, reading, hrefOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: 20 });
  const look = () => {
    const element = box.current;
    if (!element) return;
    const from = Math.max(0, Math.floor(element.scrollTop / rowHeight) - 4);
    setRange({ from, to: from + Math.ceil(element.clientHeight / rowHeight) + 8 });
  };
  const index = images.findIndex((image) => image.id === current);
  useEffect(look, [images.length]);
  useEffect(() => scrollTo(box.current, index), [index]);
  return (
    <div ref={box} class="image-list" onScroll={look}>
      <ol aria-label="Images" style={{ height: `${images.length * rowHeight}px` }}>
        {images.slice(range.from, range.to).map((image, offset) => (
          <li key={image.id} style={{ top: `${(range.from + offset) * rowHeight}px` }}>
            <a
              class="strip-row"
              href={hrefOf(image.id)}
              data-image={image.id}
              aria-current={image.id === current ? "true" : undefined}
            >
              <img
                src={api.thumbnailUrl(project, image.id)}
                alt=""
                width={48}
                height={48}
                loading="lazy"
                decoding="async"
              />
              <span class="strip-about">
                <span class="strip-name">{image.name}</span>
                <span
                  class={isComplete(image, reading) ? "strip-state complete" : "strip-state"}
                >
                  {range.from + offset + 1} · {stateText(image, reading, numLandmarks)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </div>
  );
}

function stateText(image: StudioImage, reading: ReadingNumber, numLandmarks: number): string {
  if (isComplete(image, reading)) return "✓ done";
  const placed = reading === 1 ? image.num_points : image.num_points_2;
  return placed === 0 ? "to do" : `${placed} of ${numLandmarks}`;
}

function scrollTo(element: HTMLElement | null, index: number): void {
  if (!element || index < 0) return;
  const top = index * rowHeight;
  const hidden =
    top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight;
  if (hidden) element.scrollTop = top - element.clientHeight / 2 + rowHeight / 2;
}
