import browser from '../platform/browser.ts';

const QUEUES = 'queuesRevision';
const LINKS = 'linksRevision';

/** Which of what pages show has changed. */
export interface Changed {
  queues: boolean;
  links: boolean;
}

/**
 * Tells every page what has changed. Session storage reaches private windows too, and is not on disk. What has changed is
 * stored by now, so an announcement that fails is no failure: the next one tells of it.
 */
export async function announce({ queues, links }: Changed): Promise<void> {
  const revision = crypto.randomUUID();
  const revisions = { ...(queues && { [QUEUES]: revision }), ...(links && { [LINKS]: revision }) };
  if (queues || links) await browser.storage.session.set(revisions).catch(() => undefined);
}

/** Calls back whenever a queue or a connection has changed. Returns how to stop. */
export function watchQueues(changed: () => void): () => void {
  return watch(QUEUES, changed);
}

/** Calls back whenever links have been added or removed. Returns how to stop. */
export function watchLinks(changed: () => void): () => void {
  return watch(LINKS, changed);
}

function watch(key: string, changed: () => void): () => void {
  const listener = (changes: Record<string, unknown>, area: string) => {
    if (area === 'session' && key in changes) changed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
