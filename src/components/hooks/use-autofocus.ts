import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus to an element when the element appears or `key` changes, unless the user has focused another
 * control. The focus moves before the first paint, so that no early key press is lost.
 *
 * @param wanted false to leave the focus unchanged
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
    // Firefox builds a popup off screen, and drops the focus when it moves the popup into the panel. The element is
    // therefore focused again when the window receives focus.
    addEventListener('focus', take, { once: true });
    return () => removeEventListener('focus', take);
  }, [key, wanted]);
  return element;
}
