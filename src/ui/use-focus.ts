import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Takes the focus when it appears (or `key` changes), unless the person is somewhere else: the button that was pressed is
 * gone, and its successor stands in for it.
 */
export function useFocus<T extends HTMLElement>(key = ''): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) element.current?.focus({ preventScroll: true });
  }, [key]);
  return element;
}
