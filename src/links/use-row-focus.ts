import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus where the person is in a list whose rows go and come back: on the same button of the row that has taken
 * the place, or on what is above the list where there is none.
 */
export function useRowFocus() {
  const above = useRef<HTMLHeadingElement>(null);
  const wanted = useRef<{ id: string | null } | null>(null);

  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { id } = wanted.current;
    wanted.current = null;
    const row = id === null ? null : document.querySelector(`[data-link="${CSS.escape(id)}"]`);
    const target = row?.querySelector<HTMLElement>('.link-remove') ?? above.current;
    target?.focus();
  });

  return {
    /** What takes the focus where no row is left to. */
    above,
    /** Moves the focus to a row once the page has been painted anew; null: to what is above the list. */
    moveTo: (id: string | null) => {
      wanted.current = { id };
    },
  };
}
