import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useVirtualRows } from '../ui/use-virtual-rows.ts';
import { ListRow } from './list-row.tsx';
import { RequestRow } from './request-row.tsx';
import type { Row } from './rows.ts';

/** A row's height before it has been measured, in pixels. */
const ROW_HEIGHT = 49;

export interface RowActions {
  now: number;
  move: (key: string, direction: 'first' | 'earlier' | 'later', move: { ids: string[]; before: string | null }) => void;
  cancel: (ids: string[], isList: boolean) => void;
  retry: (id: string) => void;
  toggle: (groupId: string) => void;
  openGroup: (groupId: string) => void;
}

interface QueueRowsProps extends RowActions {
  rows: Row[];
  /** What was moved last, by which button: it keeps the focus wherever it is now. */
  moved: { key: string; direction: string } | null;
}

/** What waits in a queue, in line; the page holds the rows that the window shows. */
export function QueueRows({ rows, moved, ...actions }: QueueRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const { rows: shown, height, measure } = useVirtualRows(list, keys, ROW_HEIGHT);
  const focused = useRef(moved);
  useLayoutEffect(() => {
    if (!moved || focused.current === moved) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-key="${CSS.escape(moved.key)}"] button`);
    const wanted = [...(buttons ?? [])].find((button) => button.dataset.direction === moved.direction);
    // At the end of its way a button is disabled: the first that is not takes its place.
    const button = wanted && !wanted.disabled ? wanted : [...(buttons ?? [])].find((one) => !one.disabled);
    button?.focus();
    if (button) focused.current = moved;
    // Not at the press itself: the line is in its new order once the background has it.
  }, [keys.join()]);
  return (
    <ul ref={list} class="rows" style={{ blockSize: `${height}px` }}>
      {shown.map(({ index, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <li
            key={row.key}
            ref={measure}
            class={`row ${row.kind === 'request' && row.isMember ? 'is-member' : ''}`}
            data-index={index}
            data-key={row.key}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row.kind === 'list' ? <ListRow row={row} {...actions} /> : <RequestRow row={row} {...actions} />}
          </li>
        );
      })}
    </ul>
  );
}
