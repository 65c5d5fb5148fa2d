import { dumpDisk } from './disk-dump.ts';
import type { ReleasedPage } from './release-0.1.0.ts';
import type { Release } from './releases.ts';
import { until } from './until.ts';

/**
 * Sends messages to the background worker of version 0.2.0 through one of its pages. Every reply must be a success.
 */
export function release020(page: ReleasedPage): Release {
  async function ask(message: object): Promise<void> {
    const reply = await page.evaluate(`chrome.runtime.sendMessage(${JSON.stringify(message)})`);
    if (!(reply as { ok?: boolean } | undefined)?.ok) {
      throw new Error(`${JSON.stringify(message)} was answered with ${JSON.stringify(reply)}`);
    }
  }
  const recordsIn = async (store: string) => {
    const { database } = await dumpDisk(page);
    return database.stores.find(({ name }) => name === store)?.records ?? [];
  };
  return {
    connect: (connection) => ask({ type: 'save-connection', connectionId: null, name: '', ...connection }),
    shorten: (url, title = '') =>
      ask({
        type: 'shorten',
        orders: [{ id: crypto.randomUUID(), url, title }],
        connectionId: null,
        options: null,
        anew: false,
        private: false,
      }),
    async untilLinks(count) {
      await until(`${count} links`, async () => (await recordsIn('links')).length === count);
    },
    async untilUnanswered(count) {
      await until(`${count} requests without an answer`, async () => {
        const requests = (await recordsIn('requests')).map(({ value }) => value as { state: string });
        return requests.filter(({ state }) => state === 'unanswered').length === count;
      });
    },
  };
}
