import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

/** Number of rows rendered beyond the edges of the window, so that scrolling shows no gap. */
const BEYOND = 8;

/**
 * Time a list must stay unchanged before extra rows are rendered. So typing in the search field does not wait for them.
 */
const SETTLED_MS = 100;

export interface VirtualRows {
  /** The rendered rows: their indexes and their distances from the top of the list. */
  rows: { index: number; start: number }[];
  /** Height of the whole list, in pixels. */
  height: number;
  /** Measures a rendered row. */
  measure: (row: Element | null) => void;
  /** Scrolls until a row is in view. It is rendered with the next paint. */
  scrollTo: (index: number) => void;
}

/**
 * Renders only the visible rows of a long list, and a few more.
 *
 * @param rowHeight estimated height of a row, in pixels
 */
export function useVirtualRows(list: RefObject<HTMLElement | null>, keys: string[], rowHeight: number): VirtualRows {
  const [, paint] = useReducer((count: number) => count + 1, 0);
  const margin = useRef(0);
  const onPage = useRef<ReadonlySet<unknown>>(new Set());
  const [settled, settle] = useState<string[] | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => settle(keys), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [keys]);
  const options = {
    count: keys.length,
    estimateSize: () => rowHeight,
    // A row without layout has no height.
    measureElement: (row: Element) => row.getBoundingClientRect().height || rowHeight,
    // Must stay the same function while the keys are unchanged, because a new one makes the library measure every row
    // again.
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    getScrollElement: () => window,
    scrollMargin: margin.current,
    overscan: BEYOND,
    // Before the window is measured, render as many rows as fit, so that the first paint is complete.
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
  const items = virtualizer.getVirtualItems();
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: keys.length };
  const isShown = (index: number) => startIndex <= index && index <= endIndex;
  const present = items.filter(({ index, key }) => settled === keys || isShown(index) || onPage.current.has(key));
  onPage.current = new Set(present.map(({ key }) => key));
  return {
    rows: present.map(({ index, start }) => ({ index, start: start - margin.current })),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
