import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

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

const CONTROLS = ':is(button, input, select, textarea):not(:disabled, [hidden]), a[href], summary';

/**
 * Keeps the focus in a list. If the focused control is removed, `fallback` gets the focus. By default, it is the control
 * at the same position, such as the same button of the next row.
 */
export function useKeepFocus<T extends HTMLElement>(fallback?: RefObject<HTMLElement | null>): RefObject<T | null> {
  const root = useRef<T>(null);
  useEffect(() => {
    const container = root.current;
    if (!container) return;
    let focused: { control: HTMLElement; index: number } | null = null;
    const controls = () => [...container.querySelectorAll<HTMLElement>(CONTROLS)];
    const note = () => {
      const all = controls();
      const index = all.indexOf(document.activeElement as HTMLElement);
      const control = all[index];
      focused = control ? { control, index } : null;
    };
    const observer = new MutationObserver(() => {
      if (!focused) return;
      const { control, index } = focused;
      if (control.isConnected) return note();
      focused = null;
      if (document.activeElement !== document.body) return;
      const all = controls();
      (fallback?.current ?? all[Math.min(index, all.length - 1)])?.focus({ preventScroll: fallback !== undefined });
    });
    observer.observe(container, { childList: true, subtree: true });
    container.addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      container.removeEventListener('focusin', note);
    };
  }, []);
  return root;
}
