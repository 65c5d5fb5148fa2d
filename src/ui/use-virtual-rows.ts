import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

/** Rows kept beyond the edges of the window, so that scrolling shows no gap. */
const BEYOND = 8;

export interface VirtualRows {
  /** The rows that are on the page: which ones, and how far from the top of the list. */
  rows: { index: number; start: number }[];
  /** The height of the whole list, in pixels. */
  height: number;
  /** Measures a row once it stands on the page. */
  measure: (row: Element | null) => void;
  /** Scrolls until a row is in view; it is on the page with the next paint. */
  scrollTo: (index: number) => void;
}

/**
 * The rows of a long list that the window shows, and a few more: however long it is, the page holds only those.
 *
 * @param rowHeight a row's height before it has been measured, in pixels
 */
export function useVirtualRows(list: RefObject<HTMLElement | null>, keys: string[], rowHeight: number): VirtualRows {
  const [, paint] = useReducer((count: number) => count + 1, 0);
  const margin = useRef(0);
  const options = {
    count: keys.length,
    estimateSize: () => rowHeight,
    // A row that is not laid out (yet) has no height of its own.
    measureElement: (row: Element) => row.getBoundingClientRect().height || rowHeight,
    getItemKey: (index: number) => keys[index] ?? index,
    getScrollElement: () => window,
    scrollMargin: margin.current,
    overscan: BEYOND,
    // Before the window is known: as many rows as a tall one shows, so that the first paint has them all.
    initialRect: { width: innerWidth, height: innerHeight },
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    onChange: () => paint(undefined),
  } as const;
  const [virtualizer] = useState(() => new Virtualizer<Window, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
    const top = list.current ? list.current.getBoundingClientRect().top + scrollY : 0;
    if (Math.abs(top - margin.current) < 1) return;
    margin.current = top;
    paint(undefined);
  });
  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start: start - margin.current })),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
