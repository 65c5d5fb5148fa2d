import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

/** Rows kept beyond the edges of the window, so that scrolling shows no gap. */
const BEYOND = 8;

/** Those that are new come once the list has stayed the same for so long: a keystroke of search need not wait for them. */
const SETTLED_MS = 100;

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
  const onPage = useRef<ReadonlySet<unknown>>(new Set());
  const [settled, settle] = useState<string[] | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => settle(keys), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [keys]);
  const options = {
    count: keys.length,
    estimateSize: () => rowHeight,
    // A row that is not laid out (yet) has no height of its own.
    measureElement: (row: Element) => row.getBoundingClientRect().height || rowHeight,
    // The same as long as the keys are: with another one, every row there is gets its place anew.
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
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
