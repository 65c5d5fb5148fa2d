import browser from '../browser/browser.ts';
import type { Link } from '../queue/types.ts';

const QUEUES = 'queuesRevision';
const LINKS = 'linksRevision';

/** More links than these are read by whoever shows them. */
const MOST_SENT = 20;

/** Which of what pages show has changed. */
export interface Changed {
  queues: boolean;
  links: boolean;
  /** The links that are new or different, where that is all that has changed about links. */
  added?: Link[];
}

/** A value of session storage that differs from the last one. */
interface Revision {
  id: string;
  added?: Link[];
}

/**
 * Tells every page what has changed. Session storage reaches private windows too, and is not on disk. What has changed is
 * stored by now, so an announcement that fails is no failure: the next one tells of it. A few links are told as they are,
 * so that the popup can copy a new one without another look; private ones never are: other pages hear of them, too.
 */
export async function broadcastChange({ queues, links, added = [] }: Changed): Promise<void> {
  const revision: Revision = { id: crypto.randomUUID() };
  const areSent = added.length <= MOST_SENT && added.every((link) => !link.private);
  const revisions = {
    ...(queues && { [QUEUES]: revision }),
    ...(links && { [LINKS]: areSent ? { ...revision, added } : revision }),
  };
  if (queues || links) await browser.storage.session.set(revisions).catch(() => undefined);
}

/** Calls back whenever a queue or a connection has changed. Returns how to stop. */
export function onQueuesChanged(changed: () => void): () => void {
  return watch(QUEUES, () => changed());
}

/** Calls back whenever links have been added or removed, with those that are known to be new. Returns how to stop. */
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
