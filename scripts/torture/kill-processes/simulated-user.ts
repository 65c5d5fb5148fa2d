import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message, Reply } from '../../../src/messages/protocol.ts';
import { openPiped, startWithoutDriver } from '../../../test/e2e/harness/chromium.ts';
import { launchFirefox } from '../../../test/e2e/harness/firefox/firefox.ts';
import { SHIPPED, tempFolder, withLoopbackGranted } from '../../../test/e2e/harness/folders.ts';
import { storedData } from '../../../test/e2e/harness/stored-data.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { killWorker } from '../../browsers/targets.ts';
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

interface RunningBrowser {
  page: { evaluate(expression: string): Promise<unknown> };
  /** Stops the background worker abruptly, as the browser does when the worker is idle. */
  killBackground(): Promise<void>;
  kill(): Promise<void>;
}

/** Ways to start a browser with the extension and a profile. The extension may access loopback addresses. */
const START = {
  async chromium(extension: string, profile: string): Promise<RunningBrowser> {
    const running = await startWithoutDriver(extension, { profile });
    const url = `chrome-extension://${running.extensionId}/src/pages/links/index.html`;
    const page = await openPiped(running, url);
    return { page, killBackground: () => killWorker(running), kill: running.kill };
  },
  async firefox(extension: string, profile: string): Promise<RunningBrowser> {
    const running = await launchFirefox({ extension, profile });
    const page = await running.openExtensionPage('links');
    return { page, killBackground: running.killBackground, kill: running.kill };
  },
};

export type BrowserName = keyof typeof START;

/**
 * Maximum time in milliseconds to wait for a response. A background worker that is killed while it works may never
 * respond.
 */
const ANSWER_TIMEOUT = 30_000;

/** Maximum time in milliseconds to wait for a browser to start. The limit is high, because the machine may be busy. */
const START_TIMEOUT = 120_000;

export async function startSimulatedUser(name: BrowserName): Promise<SimulatedUser> {
  const profile = tempFolder('torture');
  const extension = withLoopbackGranted(SHIPPED[name === 'chromium' ? 'chrome' : name]);
  let browser = START[name](extension, profile);
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
      browser = before.kill().then(() => START[name](extension, profile));
      await browser;
    },
    async end() {
      await browser.then(({ kill }) => kill()).catch(() => {});
      for (const folder of [profile, extension]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
