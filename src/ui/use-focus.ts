import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Takes the focus when it appears (or `key` changes), unless the person is somewhere else: the button that was pressed is
 * gone, and its successor stands in for it. It has the focus before it is painted: no key that is pressed at the first sight
 * of it is lost.
 *
 * @param wanted false where it does not take it
 */
export function useFocus<T extends HTMLElement>(key = '', wanted = true): RefObject<T | null> {
  const element = useRef<T>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    const isFree = activeElement === null || activeElement === body;
    if (wanted && isFree) element.current?.focus({ preventScroll: true });
  }, [key, wanted]);
  return element;
}
