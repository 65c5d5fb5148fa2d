import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Queue } from '../../queue/types.ts';

/** A row of the list of connections. */
export interface ConnectionRowModel {
  /**
   * Key of the row. It does not change when a new connection is stored, so that the row still shows the result of
   * connecting.
   */
  key: string;
  /** Null if the row is the form for a new connection. */
  queue: Queue | null;
  isOpen: boolean;
}

/**
 * Returns the rows of the list of connections. At most one row is open. When the page opens, this is a connection
 * that needs the user, or the form for a new connection if none is stored.
 *
 * @param isOffered true if a connection link opened the page
 */
export function useConnectionRows(queues: Queue[], isOffered: boolean) {
  const [created, setCreated] = useState<Record<string, string>>({});
  const newKey = `new-${Object.keys(created).length}`;
  const keyOf = ({ connection: { id } }: Queue) => created[id] ?? id;
  const needsUser = queues.find(({ state }) => state.halt !== null);
  const first = needsUser ? keyOf(needsUser) : queues.length === 0 ? newKey : null;
  const [open, setOpen] = useState<string | null>(isOffered ? newKey : first);

  const hadNone = useRef(queues.length === 0);
  useLayoutEffect(() => {
    // After an import, opens a connection that still needs its API key. Otherwise, users could enter this key into
    // the form for a new connection by mistake.
    const isImported = queues.length > 0 && queues.every(({ state }) => state.halt === 'key_missing');
    if (hadNone.current && isImported) setOpen(first);
    hadNone.current = queues.length === 0;
  }, [queues]);

  // If there is no connection, the form for the first one is always open.
  const isAdding = queues.length === 0 || open === newKey;
  const stored = queues.map((queue): ConnectionRowModel => {
    const key = keyOf(queue);
    return { key, queue, isOpen: key === open };
  });
  const added: ConnectionRowModel = { key: newKey, queue: null, isOpen: true };
  return {
    rows: isAdding ? [...stored, added] : stored,
    isAdding,
    toggle: (key: string) => setOpen((shown) => (shown === key ? null : key)),
    add: () => setOpen(newKey),
    /** The row of the form becomes the row of the stored connection. */
    saved: (connectionId: string) => setCreated((before) => ({ ...before, [connectionId]: newKey })),
    /** Called when a connection has been removed. */
    removed: (isLast: boolean) => setOpen(isLast ? newKey : null),
  };
}
