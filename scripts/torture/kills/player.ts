import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message, Reply } from '../../../src/messages/protocol.ts';
import { dumpDisk } from '../../../test/e2e/harness/disk-dump.ts';
import { tempFolder } from '../../../test/e2e/harness/temp.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import type { Disk } from './promises.ts';

export interface BrowserKind {
  /** Returns a folder with the built extension and permission for loopback. */
  extension(): string;
  start(extension: string, profile: string): Promise<RunningBrowser>;
}

export interface RunningBrowser {
  page: { evaluate(expression: string): Promise<unknown> };
  /** Stops the background worker abruptly, as the browser does with an idle worker. */
  killBackground(): Promise<void>;
  kill(): Promise<void>;
}

/** Simulated user whose browser is killed from time to time. */
export interface Player {
  /**
   * Repeats a message until the background worker answers, as extension pages do. The worker may be killed before it
   * answers.
   */
  ask<T>(message: Message): Promise<Reply<T>>;
  disk(): Promise<Disk>;
  killBackground(): Promise<void>;
  killBrowser(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Maximum milliseconds to wait for a response. A background worker that is killed during its work may never respond.
 */
const ANSWER_WITHIN = 30_000;

/** Maximum milliseconds until a browser has started on a busy machine. */
const PATIENCE = 120_000;

export async function startPlayer(kind: BrowserKind): Promise<Player> {
  const profile = tempFolder('torture');
  const extension = kind.extension();
  let browser = kind.start(extension, profile);
  await browser;

  /** Returns undefined if the browser or the background worker died before it responded. */
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
