import browser from '../browser/browser.ts';

/*
 * Tells all open pages what has changed, so that they read it again. Session storage also reaches private windows and
 * is never written to disk. A failed broadcast is ignored, because the data is already stored.
 */

const QUEUES = 'queuesRevision';
const LINKS = 'linksRevision';
const SYNC = 'syncProgress';

/** Tells open pages that queues, connections or links have changed. */
export async function broadcastChange({ queues, links }: { queues: boolean; links: boolean }): Promise<void> {
  const revision = crypto.randomUUID();
  if (queues || links) await broadcast({ ...(queues && { [QUEUES]: revision }), ...(links && { [LINKS]: revision }) });
}

/**
 * Tells open pages how many links of a connection's list have been read. In Chromium, this call also keeps the worker
 * alive while it reads a long list.
 */
export async function broadcastSyncProgress(connectionId: string, count: number): Promise<void> {
  await broadcast({ [SYNC]: { connectionId, count } });
}

/** Calls `changed` when a queue or a connection changes. Returns a function that stops watching. */
export function onQueuesChanged(changed: () => void): () => void {
  return watch(QUEUES, changed);
}

/** Calls `changed` when links change. Returns a function that stops watching. */
export function onLinksChanged(changed: () => void): () => void {
  return watch(LINKS, changed);
}

/** Calls `changed` while the background worker reads a connection's list. Returns a function that stops watching. */
export function onSyncProgress(changed: (connectionId: string, count: number) => void): () => void {
  return watch(SYNC, (value) => {
    const progress = value as { connectionId: string; count: number } | undefined;
    if (progress) changed(progress.connectionId, progress.count);
  });
}

async function broadcast(values: Record<string, unknown>): Promise<void> {
  await browser.storage.session.set(values).catch(() => undefined);
}

function watch(key: string, changed: (value: unknown) => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[key]) changed(changes[key].newValue);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
