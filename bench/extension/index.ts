import { fileURLToPath } from 'node:url';
import type { Chromium } from '../../scripts/browsers/chromium.ts';
import { buildIfNeeded } from '../../scripts/start/build.ts';
import { startBackend } from '../../test/e2e/harness/backend.ts';
import { openGate } from '../../test/e2e/harness/proxies.ts';
import { startSite } from '../../test/e2e/harness/site.ts';
import { atMost, type Figure } from '../figures.ts';
import { benchedExtension, EMPTY_PAGE, openPage, startBrowser, tinyExtension } from './browser.ts';
import {
  ADDRESSES,
  type Compared,
  clickToClipboard,
  compareColdStart,
  comparePaint,
  connectMessage,
  fillService,
  LINKS,
  measureMany,
  timeKeystrokes,
} from './measurements.ts';

export interface ExtensionOptions {
  rounds: number;
  tell(text: string): void;
}

export async function measureExtension({ rounds, tell }: ExtensionOptions): Promise<Figure[]> {
  buildIfNeeded(fileURLToPath(new URL('../..', import.meta.url)));
  const backend = await startBackend({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '100000' });
  const [gate, site] = await Promise.all([openGate(backend.baseUrl), startSite()]);
  const browsers: Chromium[] = [];
  const start = async (extension: string) => {
    const browser = await startBrowser(extension, ['news.example']);
    browsers.push(browser);
    return browser;
  };
  try {
    // Starts the browsers one after the other, because a starting browser would slow down a measurement in another
    // browser.
    const ours = await start(benchedExtension());
    const tiny = await start(tinyExtension());
    await connect(ours, { baseUrl: gate.baseUrl, apiKey: backend.apiKey });
    tell('extension: first paint');
    const popup = await comparePaint(ours, 'src/pages/popup/index.html', rounds);
    tell('extension: cold start of the worker');
    const coldStart = await compareColdStart(ours, tiny, rounds);
    tell('extension: click to clipboard');
    const copied = await clickToClipboard(ours, gate, site, rounds);
    await tiny.close();

    tell(`extension: ${LINKS} links`);
    await fillService(backend, backend.links().length);
    const keystroke = await timeKeystrokes(ours);
    tell(`extension: ${ADDRESSES} addresses at once`);
    const accepted = await measureMany(ours, backend, rounds);
    return [
      compared("first paint of the popup, to an empty page's", popup, 1.3),
      compared("cold start of the worker, to an empty worker's", coldStart, 2.5),
      atMost(`a keystroke of search among ${LINKS.toLocaleString('en')} links`, keystroke, 16, ' ms'),
      atMost(`${ADDRESSES.toLocaleString('en')} addresses accepted, from the click`, accepted, 300, ' ms'),
      atMost('click to clipboard, without the service', copied, 60, ' ms'),
    ];
  } finally {
    await Promise.all(browsers.map((browser) => browser.kill()));
    await Promise.all([backend.kill(), gate.close(), site.close()]);
  }
}

async function connect(browser: Chromium, connection: { baseUrl: string; apiKey: string }): Promise<void> {
  const page = await openPage(browser, EMPTY_PAGE);
  const message = JSON.stringify(connectMessage(connection));
  const isConnected = await page.evaluate<boolean>(`chrome.runtime.sendMessage(${message}).then(({ ok }) => ok)`);
  if (!isConnected) throw new Error('The extension could not be connected.');
  await page.close();
}

function compared(name: string, { one, other, ratio }: Compared, target: number): Figure {
  return atMost(name, ratio, target, ` times`, 2, ` (${one.toFixed(1)} ms to ${other.toFixed(1)} ms)`);
}
