import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Position of a button in the list: its row, and its index in the row. */
interface Cell {
  index: number;
  button: number;
}

const buttonsOf = (row: Element | null | undefined) => [...(row?.querySelectorAll<HTMLElement>('button') ?? [])];

/**
 * Arrow keys for a list of rows with buttons. The list is one stop of the Tab key; left and right move within a row, up
 * and down to the same button of another row, Home and End to the first and last row.
 *
 * @param scrollTo renders a row that is not in view
 */
export function useArrowKeyNavigation(
  list: RefObject<HTMLElement | null>,
  count: number,
  scrollTo: (index: number) => void,
) {
  const wanted = useRef<Cell | null>(null);
  const rowAt = (index: number) => list.current?.querySelector(`[data-index="${index}"]`);

  const focus = ({ index, button }: Cell): boolean => {
    const buttons = buttonsOf(rowAt(index));
    const target = buttons[Math.min(button, buttons.length - 1)];
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest' });
    return target !== undefined;
  };

  useLayoutEffect(() => {
    for (const row of list.current?.querySelectorAll('[data-index]') ?? []) {
      for (const [position, button] of buttonsOf(row).entries()) {
        const tabIndex = position === 0 ? 0 : -1;
        // Setting an equal value would cause another layout.
        if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex;
      }
    }
    // A row that was not rendered can be focused only after the next paint.
    if (wanted.current && focus(wanted.current)) wanted.current = null;
  });

  const moveTo = (cell: Cell) => {
    if (cell.index < 0 || cell.index >= count) return;
    if (focus(cell)) return;
    wanted.current = cell;
    scrollTo(cell.index);
  };

  return {
    /** Moves the focus to a button of any row. */
    moveTo,
    press: (event: KeyboardEvent) => {
      // Without this, holding Enter down would delete one row after the other.
      if (event.repeat && event.key === 'Enter') return event.preventDefault();
      const row = (event.target as Element).closest('[data-index]');
      if (!row || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const index = Number(row.getAttribute('data-index'));
      const button = buttonsOf(row).indexOf(event.target as HTMLElement);
      const next = nextCell(event.key, { index, button }, count);
      if (!next) return;
      event.preventDefault();
      moveTo({ ...next, button: Math.max(0, next.button) });
    },
  };
}

function nextCell(key: string, { index, button }: Cell, count: number): Cell | null {
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const backward = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  switch (key) {
    case forward:
      return { index, button: button + 1 };
    case backward:
      return { index, button: button - 1 };
    case 'ArrowDown':
      return { index: index + 1, button };
    case 'ArrowUp':
      return { index: index - 1, button };
    case 'Home':
      return { index: 0, button };
    case 'End':
      return { index: count - 1, button };
    default:
      return null;
  }
}
