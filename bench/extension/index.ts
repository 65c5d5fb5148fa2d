import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from '../../scripts/start/build.ts';
import { type Backend, startBackend } from '../../test/e2e/harness/backend.ts';
import { openGate } from '../../test/e2e/harness/proxies.ts';
import { startSite } from '../../test/e2e/harness/site.ts';
import { until } from '../../test/e2e/harness/until.ts';
import { atMost, type Figure, plain } from '../figures.ts';
import { type BenchBrowser, checkedMessage, startBrowser } from './browser.ts';
import { clickToClipboard } from './clipboard.ts';
import { benchedExtension, EMPTY_PAGE, tinyExtension } from './extensions.ts';
import { compareLinksPage, fillService, LINKS, timeKeystrokes } from './links.ts';
import { ADDRESSES, measureMany } from './many.ts';
import { connectMessage, shortenMessage } from './messages-and-pages.ts';
import { comparePaint } from './paint.ts';
import { compareAccepting, WAITING } from './queue.ts';
import type { Compared } from './rounds.ts';
import { compareColdStart, compareFirstAnswer } from './worker.ts';

export interface ExtensionOptions {
  rounds: number;
  tell(text: string): void;
}

export async function measureExtension({ rounds, tell }: ExtensionOptions): Promise<Figure[]> {
  buildIfNeeded(fileURLToPath(new URL('../..', import.meta.url)));
  const quick = await startBackend({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '100000' });
  const spent = await startBackend({ TERSE_DAILY_QUOTA: '1' });
  const [gate, site] = await Promise.all([openGate(quick.baseUrl), startSite()]);
  const browsers: BenchBrowser[] = [];
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
    await connect(ours, { baseUrl: gate.baseUrl, apiKey: quick.apiKey });
    tell('extension: first paint');
    const popup = await comparePaint(ours, 'src/pages/popup/index.html', rounds);
    tell('extension: cold start of the worker');
    const coldStart = await compareColdStart(ours, tiny, rounds);
    const firstAnswer = await compareFirstAnswer(ours, tiny, rounds);
    tell('extension: click to clipboard');
    const copied = await clickToClipboard(ours, gate, site, rounds);
    await tiny.close();

    tell(`extension: ${WAITING} requests that wait`);
    const [full, empty] = [await start(benchedExtension()), await start(benchedExtension())];
    for (const browser of [full, empty]) {
      await connect(browser, { baseUrl: spent.baseUrl, apiKey: spent.createKey('bench') });
      await spendQuota(browser, spent);
    }
    const accepting = await compareAccepting(full, empty, rounds);
    await Promise.all([full.close(), empty.close()]);

    tell(`extension: ${LINKS} links`);
    await fillService(quick, quick.links().length);
    const keystroke = await timeKeystrokes(ours);
    const linksPage = await compareLinksPage(ours, await start(benchedExtension()), rounds);
    tell(`extension: ${ADDRESSES} addresses at once`);
    const many = await measureMany(ours, quick, rounds);
    return [
      compared("first paint of the popup, to an empty page's", popup, 1.35),
      compared("cold start of the worker, to an empty worker's", coldStart, 2.3),
      compared("message to a dead worker until its answer, to a tiny extension's", firstAnswer),
      compared(`one more accepted with ${WAITING.toLocaleString('en')} waiting, to an empty queue`, accepting, 1.5),
      compared(`links page with ${LINKS.toLocaleString('en')} links, to an empty one`, linksPage, 1.5),
      atMost(`a keystroke of search among ${LINKS.toLocaleString('en')} links`, keystroke.middle, 16, ' ms'),
      atMost('19 of 20 keystrokes at most', keystroke.most, 16, ' ms'),
      atMost(`${ADDRESSES.toLocaleString('en')} addresses accepted, from the click`, many.accepted, 300, ' ms'),
      atMost('the longest frame meanwhile (0: none over 50 ms)', many.longestFrame, 50, ' ms'),
      atMost('click to clipboard, without the service', copied, 70, ' ms'),
    ];
  } finally {
    await Promise.all(browsers.map((browser) => browser.kill()));
    await Promise.all([quick.kill(), spent.kill(), gate.close(), site.close()]);
  }
}

async function connect(browser: BenchBrowser, connection: { baseUrl: string; apiKey: string }): Promise<void> {
  const page = await browser.open(`chrome-extension://${browser.extensionId}/${EMPTY_PAGE}`);
  await page.evaluate(checkedMessage(connectMessage(connection)));
  await page.close();
}

async function spendQuota(browser: BenchBrowser, backend: Backend): Promise<void> {
  const made = backend.links().length;
  const page = await browser.open(`chrome-extension://${browser.extensionId}/${EMPTY_PAGE}`);
  await page.evaluate(checkedMessage(shortenMessage('https://www.example.com/the-only-one')));
  await until('the quota to be spent', () => backend.links().length > made);
  await page.close();
}

function compared(name: string, { one, other, ratio }: Compared, target?: number): Figure {
  const note = ` (${one.toFixed(1)} ms to ${other.toFixed(1)} ms)`;
  return target === undefined
    ? plain(name, `${ratio.toFixed(2)} times${note}`)
    : atMost(name, ratio, target, ` times`, 2, note);
}
