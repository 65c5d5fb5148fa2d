import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Queue } from '../../queue/types.ts';

/** A row of the list of connections. */
export interface ConnectionRowModel {
  /**
   * Preact key of the row. A new connection keeps the key of the form in which it was entered. Preact then reuses the
   * form, so that the form's messages stay visible.
   */
  key: string;
  /** Null if the row is the form for a new connection. */
  queue: Queue | null;
  isOpen: boolean;
}

/**
 * Returns the rows of the connection list. At most one row is open at a time. Initially, the form for a new
 * connection is open if `isOffered` is true or no connection is stored. Otherwise, the first blocked connection is
 * open, if there is one.
 *
 * @param isOffered true if the page was opened with a link that contains a server's address and API key
 */
export function useConnectionRows(queues: Queue[], isOffered: boolean) {
  const [created, setCreated] = useState<Record<string, string>>({});
  const newKey = `new-${Object.keys(created).length}`;
  const keyOf = ({ connection: { id } }: Queue) => created[id] ?? id;
  const needsUser = queues.find(({ state }) => state.blocked !== null);
  const first = needsUser ? keyOf(needsUser) : queues.length === 0 ? newKey : null;
  const [open, setOpen] = useState<string | null>(isOffered ? newKey : first);

  const hadNone = useRef(queues.length === 0);
  useLayoutEffect(() => {
    // After an import into an empty list, opens the row of a connection that still needs its API key. If the form for
    // a new connection stayed open, the user could enter the key there by mistake.
    const isImported = queues.length > 0 && queues.every(({ state }) => state.blocked === 'key_missing');
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
    /**
     * Called when a new connection has been stored. The connection's row takes the place of the form for a new
     * connection.
     */
    saved: (connectionId: string) => setCreated((before) => ({ ...before, [connectionId]: newKey })),
    /** Called when a connection has been removed. */
    removed: (isLast: boolean) => setOpen(isLast ? newKey : null),
  };
}
