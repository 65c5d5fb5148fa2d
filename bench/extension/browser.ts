import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Chromium, startChromium } from '../../scripts/browsers/chromium.ts';
import { findChromium } from '../../scripts/browsers/find.ts';
import { evaluateIn, type Target, targets } from '../../scripts/browsers/targets.ts';
import { quietArguments } from '../../test/e2e/harness/chromium.ts';
import { tempFolder, WELCOME } from '../../test/e2e/harness/folders.ts';
import { until } from '../../test/e2e/harness/until.ts';
import { EMPTY_PAGE } from './extensions.ts';

/**
 * Browser that the benchmark controls only through its debugging pipe. A browser driver would attach to the
 * background worker, delay the worker's start and keep it alive.
 */
export interface BenchBrowser extends Chromium {
  open(url: string): Promise<Tab>;
}

export interface Tab {
  target: Target;
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** Starts a headless Chromium with a new profile and one extension. The host names in `hosts` resolve to loopback. */
export async function startBrowser(extension: string, hosts: string[] = []): Promise<BenchBrowser> {
  const executable = findChromium();
  if (!executable) throw new Error('The bench needs Chromium. On Debian: apt-get install chromium');
  const args = ['--headless=new', ...quietArguments(hosts), 'about:blank'];
  const chromium = await startChromium({ executable, profile: tempFolder('bench'), extension, args });
  const { cdp } = chromium;
  // Closes the welcome page as soon as it opens. Otherwise, it would later hide the measured tab, and the browser
  // does not paint hidden tabs.
  if (existsSync(join(extension, WELCOME))) {
    const welcome = async () => (await targets(cdp)).find(({ url }) => url.includes(WELCOME));
    const { targetId } = await until('the page for a new person', welcome);
    await cdp.send('Target.closeTarget', { targetId });
  }
  return {
    ...chromium,
    async open(url) {
      const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url });
      const target = { targetId, type: 'page', url };
      await until(`${url} to load`, () =>
        evaluateIn<boolean>(cdp, target, `location.href !== 'about:blank' && document.readyState === 'complete'`),
      );
      return tabOf(chromium, target);
    },
  };
}

export function openEmpty(browser: BenchBrowser): Promise<Tab> {
  return browser.open(`chrome-extension://${browser.extensionId}/${EMPTY_PAGE}`);
}

export function tabOf({ cdp }: Chromium, target: Target): Tab {
  return {
    target,
    evaluate: (expression) => evaluateIn(cdp, target, expression),
    close: () => cdp.send<void>('Target.closeTarget', { targetId: target.targetId }),
  };
}

/**
 * Returns an expression that sends a message. Its value is the time in milliseconds until the message is answered or
 * fails.
 */
export const timedMessage = (message: unknown): string => `(async () => {
  const start = performance.now();
  await chrome.runtime.sendMessage(${JSON.stringify(message)}).catch(() => {});
  return performance.now() - start;
})()`;
