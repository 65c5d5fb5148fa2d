import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message, Reply } from '../../../src/messages/protocol.ts';
import { dumpDisk } from '../../../test/e2e/harness/disk-dump.ts';
import { tempFolder } from '../../../test/e2e/harness/temp.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import type { Disk } from './promises.ts';

/** One of the browsers that the extension is built for. */
export interface BrowserKind {
  /** A folder with the built extension, which may reach loopback. */
  extension(): string;
  start(extension: string, profile: string): Promise<RunningBrowser>;
}

export interface RunningBrowser {
  /** A page of the extension. */
  page: { evaluate(expression: string): Promise<unknown> };
  /** Ends the background as the browser ends an idle one, with no word to it. */
  killBackground(): Promise<void>;
  /** SIGKILL to every process of the browser. */
  kill(): Promise<void>;
}

/** A person at a browser that dies now and then. */
export interface Player {
  /** Sends the background a message until it is answered, as pages do: whoever should answer may be killed meanwhile. */
  ask<T>(message: Message): Promise<Reply<T>>;
  disk(): Promise<Disk>;
  killBackground(): Promise<void>;
  /** SIGKILL to the browser, then a start on the same profile. */
  killBrowser(): Promise<void>;
  end(): Promise<void>;
}

/** A background that was killed in the middle may leave the page waiting for ever. In milliseconds. */
const ANSWER_WITHIN = 30_000;

/** A busy machine takes long to start a browser. In milliseconds. */
const PATIENCE = 120_000;

export async function startPlayer(kind: BrowserKind): Promise<Player> {
  const profile = tempFolder('torture');
  const extension = kind.extension();
  let browser = kind.start(extension, profile);
  await browser;

  /** Undefined where the browser or the background died before it answered. */
  async function evaluate(expression: string): Promise<unknown> {
    const { page } = await browser;
    return Promise.race([page.evaluate(expression).catch(() => {}), pause(ANSWER_WITHIN, undefined, { ref: false })]);
  }

  return {
    ask: <T>(message: Message) =>
      until(
        `an answer to ${message.type}`,
        () => evaluate(`chrome.runtime.sendMessage(${JSON.stringify(message)})`) as Promise<Reply<T> | undefined>,
        PATIENCE,
      ) as Promise<Reply<T>>,
    disk: () =>
      until(
        'the database',
        async () => {
          const { page } = await browser;
          const dump = await dumpDisk(page).catch(() => null);
          const recordsOf = (store: string) =>
            dump?.database.stores.find(({ name }) => name === store)?.records.map(({ value }) => value) ?? [];
          return dump && ({ links: recordsOf('links'), requests: recordsOf('requests') } as Disk);
        },
        PATIENCE,
      ),
    async killBackground() {
      await (await browser).killBackground();
    },
    async killBrowser() {
      const before = await browser;
      browser = before.kill().then(() => kind.start(extension, profile));
      await browser;
    },
    async end() {
      await browser.then(({ kill }) => kill()).catch(() => {});
      for (const folder of [profile, extension]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
