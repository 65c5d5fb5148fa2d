import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message, Reply } from '../../../src/messages/protocol.ts';
import { tempFolder } from '../../../test/e2e/harness/folders.ts';
import { storedData } from '../../../test/e2e/harness/stored-data.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import type { BrowserKind } from './browsers.ts';
import type { Disk } from './find-broken-promises.ts';

/** Simulated user whose browser is killed from time to time. */
export interface SimulatedUser {
  /**
   * Sends a message as extension pages do. Repeats the message until the background worker answers, because the
   * worker may be killed before it answers.
   */
  ask<T>(message: Message): Promise<Reply<T>>;
  disk(): Promise<Disk>;
  killBackground(): Promise<void>;
  killBrowser(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Maximum time in milliseconds to wait for a response. A background worker that is killed while it works may never
 * respond.
 */
const ANSWER_TIMEOUT = 30_000;

/** Maximum time in milliseconds to wait for a browser to start. The limit is high, because the machine may be busy. */
const START_TIMEOUT = 120_000;

export async function startSimulatedUser(kind: BrowserKind): Promise<SimulatedUser> {
  const profile = tempFolder('torture');
  const extension = kind.extension();
  let browser = kind.start(extension, profile);
  await browser;

  /** Returns undefined if the browser or the background worker was killed before it responded. */
  async function evaluate(expression: string): Promise<unknown> {
    const { page } = await browser;
    return Promise.race([page.evaluate(expression).catch(() => {}), pause(ANSWER_TIMEOUT, undefined, { ref: false })]);
  }

  return {
    ask: <T>(message: Message) =>
      until(
        `a response to ${message.type}`,
        () => evaluate(`chrome.runtime.sendMessage(${JSON.stringify(message)})`) as Promise<Reply<T> | undefined>,
        START_TIMEOUT,
      ) as Promise<Reply<T>>,
    disk: () =>
      until(
        'the database',
        async () => {
          const { page } = await browser;
          return (await storedData(page).catch(() => null)) as Disk | null;
        },
        START_TIMEOUT,
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
