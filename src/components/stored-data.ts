import { signal } from '@preact/signals';
import browser from '../browser/browser.ts';
import { sendToBackground } from '../messages/ask-background.ts';
import type { Link, VisibleQueues } from '../queue/types.ts';
import type { LinkQuery } from '../storage/links.ts';
import { readLinks, readStoredQueues } from '../storage/load-page-data.ts';

/**
 * Reads the queues from the database. A popup in a private Firefox window cannot open the database, so it asks the
 * background worker.
 *
 * @throws NoReply if the background worker does not reply
 */
export async function readQueues(): Promise<VisibleQueues> {
  if (!browser.extension.inIncognitoContext) return readStoredQueues();
  const reply = await sendToBackground<VisibleQueues>({ type: 'read-queues' });
  if (!reply.ok) throw new Error(`The background refused to read: ${reply.code}`);
  return reply.value;
}

/** Reads links from the database. A popup in a private Firefox window has no database, and shows no stored links. */
export async function readStoredLinks(query: LinkQuery): Promise<Link[]> {
  return browser.extension.inIncognitoContext ? [] : readLinks(query);
}

/** Stored data that a page shows. */
export function storedData<T>(first: T, read: () => Promise<T>) {
  const value = signal(first);
  let last: Promise<unknown> = Promise.resolve();
  /** Read that starts when the last one has ended. All calls until then share it. */
  let next: Promise<T> | null = null;

  /** Reads the data again. One read runs at a time, because changes may come faster than the data can be read. */
  function refresh(): Promise<T> {
    next ??= last.then(async () => {
      next = null;
      const fresh = await read();
      value.value = fresh;
      return fresh;
    });
    last = next.catch(() => undefined);
    return next;
  }

  /** Reads the data again now and after each change. If a read fails, the page keeps its data. */
  function follow(watch: (changed: () => void) => () => void): () => void {
    const read = () => void refresh().catch(() => undefined);
    const stop = watch(read);
    // A change between the first read and the subscription would be missed.
    read();
    return stop;
  }

  return { value, refresh, follow };
}
