import browser from '../browser/browser.ts';
import type { Link } from '../queue/types.ts';

const QUEUES = 'queuesRevision';
const LINKS = 'linksRevision';

/** Maximum number of links in a broadcast. If more have changed, pages read them from the database. */
const MAX_SENT_LINKS = 20;

/** The kinds of data that have changed. */
export interface Changed {
  queues: boolean;
  links: boolean;
  /** New and changed links. Absent if links were removed. */
  added?: Link[];
}

/** Value in session storage. Each has a new id, so that the browser reports a change. */
interface Revision {
  id: string;
  added?: Link[];
}

/**
 * Tells all open pages what has changed, through session storage: it reaches private windows and is not on disk. A failed
 * broadcast is ignored, because the data is stored and the next broadcast follows. Up to 20 links are included, so that the
 * popup can copy a new link without a read. Private links never are, because pages of other windows receive the broadcast.
 */
export async function broadcastChange({ queues, links, added = [] }: Changed): Promise<void> {
  const revision: Revision = { id: crypto.randomUUID() };
  const areSent = added.length <= MAX_SENT_LINKS && added.every((link) => !link.private);
  const revisions = {
    ...(queues && { [QUEUES]: revision }),
    ...(links && { [LINKS]: areSent ? { ...revision, added } : revision }),
  };
  if (queues || links) await browser.storage.session.set(revisions).catch(() => undefined);
}

/** Calls back when a queue or a connection changes. Returns a function that unsubscribes. */
export function onQueuesChanged(changed: () => void): () => void {
  return watch(QUEUES, () => changed());
}

/** Calls back when links change, with the new and changed ones if the broadcast includes them. Returns a function that unsubscribes. */
export function onLinksChanged(changed: (added: Link[]) => void): () => void {
  return watch(LINKS, ({ added = [] }) => changed(added));
}

function watch(key: string, changed: (revision: Revision) => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[key]) changed((changes[key].newValue ?? {}) as Revision);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
