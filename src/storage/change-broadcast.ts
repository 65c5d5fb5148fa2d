import browser from '../browser/browser.ts';
import type { Link } from '../queue/types.ts';

const QUEUES = 'queuesRevision';
const LINKS = 'linksRevision';
const SYNC = 'syncProgress';

/** Maximum number of links in a broadcast. If more links change, pages read them from the database. */
const MAX_SENT_LINKS = 20;

export interface Changed {
  queues: boolean;
  links: boolean;
  /** New and changed links. Undefined if links were deleted. */
  added?: Link[];
}

interface Revision {
  id: string;
  added?: Link[];
}

/**
 * Tells all open pages through session storage which data has changed. Session storage also reaches private windows
 * and is never written to disk. A failed broadcast is ignored, because the data is already stored. A broadcast
 * contains up to 20 links, so that the popup can copy a new link without reading the database.
 */
export async function broadcastChange({ queues, links, added = [] }: Changed): Promise<void> {
  const revision: Revision = { id: crypto.randomUUID() };
  const areSent = added.length <= MAX_SENT_LINKS;
  const revisions = {
    ...(queues && { [QUEUES]: revision }),
    ...(links && { [LINKS]: areSent ? { ...revision, added } : revision }),
  };
  if (queues || links) await browser.storage.session.set(revisions).catch(() => undefined);
}

/** Calls `changed` when a queue or a connection changes. Returns a function that stops watching. */
export function onQueuesChanged(changed: () => void): () => void {
  return watch(QUEUES, () => changed());
}

/**
 * Calls `changed` when links change, and passes the new and changed links. An empty array means that the links must
 * be read from the database. Returns a function that stops watching.
 */
export function onLinksChanged(changed: (added: Link[]) => void): () => void {
  return watch(LINKS, ({ added = [] }) => changed(added));
}

/**
 * Tells open pages how many links of a connection's list have been read. In Chromium, this call also keeps the worker
 * alive while it reads a long list.
 */
export async function broadcastSyncProgress(connectionId: string, count: number): Promise<void> {
  await browser.storage.session.set({ [SYNC]: { connectionId, count } }).catch(() => undefined);
}

/** Calls `changed` while the background worker reads a connection's list. Returns a function that stops watching. */
export function onSyncProgress(changed: (connectionId: string, count: number) => void): () => void {
  return watch<{ connectionId?: string; count?: number }>(SYNC, ({ connectionId, count }) => {
    if (connectionId !== undefined && count !== undefined) changed(connectionId, count);
  });
}

function watch<T extends object = Revision>(key: string, changed: (value: Partial<T>) => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[key]) changed((changes[key].newValue ?? {}) as Partial<T>);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
