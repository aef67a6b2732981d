// Lists of any length: only the rows in sight exist, between two spaces as large as the others.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** Items that exist, and how much room those before and after them take. */
export interface Shown {
  from: number;
  to: number;
  before: number;
  after: number;
}

/** How a list lies in the window that it is seen through, in pixels along the way of scrolling. */
export interface Layout {
  /** From the beginning of the list to that of the window. */
  offset: number;
  window: number;
  /** From one row to the next. */
  pitch: number;
  /** Items beside each other. */
  columns: number;
}

/** Lists up to this length are whole, so that the browser finds every name in them. */
export const mostWhole = 200;

const rowsAround = 6;

export function shownOf(count: number, layout: Layout | null): Shown {
  if (count <= mostWhole) return { from: 0, to: count, before: 0, after: 0 };
  if (layout === null) return { from: 0, to: 50, before: 0, after: 0 };
  const { offset, window, pitch, columns } = layout;
  const rows = Math.ceil(count / columns);
  const row = (at: number) => Math.max(0, Math.min(rows, at));
  const first = row(Math.floor(offset / pitch) - rowsAround);
  const last = Math.max(first, row(Math.ceil((offset + window) / pitch) + rowsAround));
  return {
    from: Math.min(count, first * columns),
    to: Math.min(count, last * columns),
    before: first * pitch,
    after: (rows - last) * pitch,
  };
}

function scrollerOf(list: HTMLElement): HTMLElement {
  let element: HTMLElement = list;
  while (!/auto|scroll/.test(getComputedStyle(element).overflow) && element.parentElement) {
    element = element.parentElement;
  }
  return element;
}

const isStrip = (style: CSSStyleDeclaration) =>
  style.display === "flex" && style.flexDirection === "row";

function layoutOf(list: HTMLElement): Layout | null {
  const item = list.querySelector<HTMLElement>("li:not(.space)");
  const scroller = scrollerOf(list);
  if (item === null || scroller.clientHeight === 0) return null;
  const style = getComputedStyle(list);
  const box = item.getBoundingClientRect();
  const [seen, own] = [scroller.getBoundingClientRect(), list.getBoundingClientRect()];
  const gap = (text: string) => Number.parseFloat(text) || 0;
  if (isStrip(style)) {
    const pitch = box.width + gap(style.columnGap);
    return { offset: scroller.scrollLeft, window: seen.width, pitch, columns: 1 };
  }
  const columns = style.display === "grid" ? style.gridTemplateColumns.split(" ").length : 1;
  const pitch = box.height + gap(style.rowGap);
  const offset = scroller === list ? list.scrollTop : seen.top - own.top;
  return { offset, window: seen.height, pitch, columns };
}

const sameShown = (a: Shown, b: Shown) =>
  a.from === b.from && a.to === b.to && a.before === b.before && a.after === b.after;

/** Which items of a list to make. The list has rows of one height, or is a grid or a strip of them;
 *  the spaces before and after are items of the class "space". */
export function useRowsInSight(list: RefObject<HTMLElement>, count: number): Shown {
  const [layout, setLayout] = useState<Layout | null>(null);
  const shown = shownOf(count, layout);
  const isLong = count > mostWhole;
  const look = () => {
    if (list.current === null) return;
    const next = layoutOf(list.current);
    setLayout((before) =>
      sameShown(shownOf(count, before), shownOf(count, next)) ? before : next,
    );
  };
  // Measured again once rows are there to be measured.
  useLayoutEffect(() => {
    if (isLong) look();
  }, [isLong, count]);
  useEffect(() => {
    if (!isLong || list.current === null) return undefined;
    const scroller = scrollerOf(list.current);
    const observer = new ResizeObserver(look);
    observer.observe(scroller);
    scroller.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", look);
    };
  }, [isLong, count]);
  return shown;
}

/** Scrolls so that an item is in sight, whether it exists or not. */
export function scrollToItem(list: HTMLElement | null, index: number): void {
  if (list === null || index < 0) return;
  const layout = layoutOf(list);
  const scroller = scrollerOf(list);
  if (layout === null) return;
  const at = Math.floor(index / layout.columns) * layout.pitch;
  if (at >= layout.offset && at + layout.pitch <= layout.offset + layout.window) return;
  const by = at - layout.offset - (layout.window - layout.pitch) / 2;
  if (isStrip(getComputedStyle(list))) scroller.scrollLeft += by;
  else scroller.scrollTop += by;
}
