import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Takes the focus when it appears (or `key` changes), unless the person is somewhere else: the button that was pressed is
 * gone, and its successor stands in for it. It has the focus before it is painted: no key that is pressed at the first sight
 * of it is lost.
 *
 * @param wanted false where it does not take it
 */
export function useAutofocus<T extends HTMLElement>(key = '', wanted = true): RefObject<T | null> {
  const element = useRef<T>(null);
  useLayoutEffect(() => {
    if (!wanted) return;
    const take = () => {
      const { activeElement, body } = document;
      const isFree = activeElement === null || activeElement === body;
      if (isFree) element.current?.focus({ preventScroll: true });
    };
    take();
    if (document.hasFocus()) return;
    // Firefox builds a popup out of sight and forgets its focus on moving it into the panel: the keyboard comes after that.
    addEventListener('focus', take, { once: true });
    return () => removeEventListener('focus', take);
  }, [key, wanted]);
  return element;
}
