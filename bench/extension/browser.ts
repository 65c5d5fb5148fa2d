import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chromium, startChromium } from '../../scripts/browsers/chromium.ts';
import { findChromium } from '../../scripts/browsers/find.ts';
import { evaluateIn, type Target, targets } from '../../scripts/browsers/targets.ts';
import { quietArguments } from '../../test/e2e/harness/chromium.ts';
import { SHIPPED, tempFolder, WELCOME, withLoopbackGranted } from '../../test/e2e/harness/folders.ts';
import { until } from '../../test/e2e/harness/until.ts';

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
 * Path of an empty page that is added to the measured extension. Benchmarks run their scripts in this page or compare
 * other pages with it.
 */
export const EMPTY_PAGE = 'empty.html';

/** Creates a copy of the built extension that has an empty page and permission to access loopback addresses. */
export function benchedExtension(): string {
  const folder = withLoopbackGranted(SHIPPED.chrome);
  writeFileSync(join(folder, EMPTY_PAGE), EMPTY_HTML);
  return folder;
}

/** Creates the smallest possible extension: an empty page, and a background worker that answers no message. */
export function tinyExtension(): string {
  const folder = join(tempFolder('tiny'), 'extension');
  mkdirSync(folder);
  const manifest = { manifest_version: 3, name: 'Tiny', version: '1', background: { service_worker: 'worker.js' } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, EMPTY_PAGE), EMPTY_HTML);
  writeFileSync(join(folder, 'worker.js'), 'chrome.runtime.onMessage.addListener(() => {});');
  return folder;
}

const EMPTY_HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><p>Empty.</p></html>';
