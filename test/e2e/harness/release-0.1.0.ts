import { type DiskDump, dumpDisk } from './disk-dump.ts';
import { until } from './until.ts';

export interface ReleasedPage {
  evaluate(expression: string): Promise<unknown>;
}

/** Fields of a request in version 0.1.0 that the tests read. */
export interface ReleasedRequest {
  id: string;
  url: string;
  state: 'waiting' | 'sending' | 'failed' | 'unknown';
}

/** Controls version 0.1.0 with the messages that its pages send. */
export interface Release010 {
  connect(connection: { baseUrl: string; apiKey: string }): Promise<void>;
  forgetConnection(): Promise<void>;
  shorten(url: string, title?: string): Promise<void>;
  chooseSettings(settings: Record<string, unknown>): Promise<void>;
  disk(): Promise<DiskDump>;
  requests(): Promise<ReleasedRequest[]>;
  /** Waits until `count` requests have this state. */
  untilRequests(state: ReleasedRequest['state'], count: number): Promise<void>;
  untilLinks(count: number): Promise<void>;
  untilUnanswered(count: number): Promise<void>;
}

/**
 * Sends messages to the background worker of version 0.1.0 through one of its pages. Every reply must be a success.
 */
export function release010(page: ReleasedPage): Release010 {
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
  const requests = async () => (await recordsIn('requests')).map(({ value }) => value as ReleasedRequest);
  async function untilRequests(state: ReleasedRequest['state'], count: number): Promise<void> {
    await until(`${count} requests to be ${state}`, async () => {
      return (await requests()).filter((request) => request.state === state).length === count;
    });
  }
  return {
    connect: ({ baseUrl, apiKey }) => ask({ type: 'connect', baseUrl, apiKey }),
    forgetConnection: () => ask({ type: 'forget-connection' }),
    shorten: (url, title = '') => ask({ type: 'shorten', id: crypto.randomUUID(), url, title, private: false }),
    async chooseSettings(settings) {
      await page.evaluate(`chrome.storage.local.set(${JSON.stringify({ settings })})`);
    },
    disk: () => dumpDisk(page),
    requests,
    untilRequests,
    untilUnanswered: (count) => untilRequests('unknown', count),
    async untilLinks(count) {
      await until(`${count} links`, async () => (await recordsIn('links')).length === count);
    },
  };
}
