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

/** Stored data that a page shows. If several reads run at once, the page shows the result of the last one. */
export function storedData<T>(first: T, read: () => Promise<T>) {
  const value = signal(first);
  let latest = 0;

  async function refresh(): Promise<T> {
    latest += 1;
    const reading = latest;
    const fresh = await read();
    if (reading === latest) value.value = fresh;
    return fresh;
  }

  /** Reads the data again now and after each change. If a read fails, the page keeps its data. */
  function follow(watch: (changed: () => void) => () => void): () => void {
    let isOutdated = false;
    let isReading = false;
    /** Changes during a read cause only one more read, because they may come faster than the data can be read. */
    async function read(): Promise<void> {
      isOutdated = true;
      if (isReading) return;
      isReading = true;
      while (isOutdated) {
        isOutdated = false;
        await refresh().catch(() => undefined);
      }
      isReading = false;
    }

    const stop = watch(() => void read());
    // A change between the first read and the subscription would be missed.
    void read();
    return stop;
  }

  return { value, refresh, follow };
}
