import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatConnectionLink } from '@terse/contract';
import { expect, onTestFinished, test } from 'vitest';
import { targetOf } from './harness/backend.ts';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { addToList, connectAnotherOn, RESULT, resultIn, shortenOther } from './harness/person.ts';
import { openGate } from './harness/proxies.ts';
import { until } from './harness/until.ts';
import { type BrowserKind, givenSpecOnlyService, tellStory } from './harness/world.ts';

/** Number of requests that wait when the browser is killed. */
const WAITING = 6;

/**
 * Tests interruptions in a browser: a lost network, a killed background worker or browser, and private windows. Each
 * browser has a file, so that both browsers run at the same time while these tests wait for alarms.
 */
export function testInterruptions(kind: BrowserKind): void {
  const story = tellStory(kind);

  /**
   * Presses "Try again" unless the extension has retried already. A mouse click takes longer, and could hit the
   * "Copy" button that replaces "Try again" after the result.
   */
  async function sendNow(popup: BrowserPage): Promise<void> {
    const again = popup.getByRole('button', { name: /^Try again: / });
    const result = popup.locator(RESULT);
    await until('a button or a result', async () => (await again.count()) + (await result.count()));
    await popup.evaluate(`document.querySelector('button[aria-label^="Try again: "]')?.click()`);
  }

  test('without a network the popup shows a short URL that works later', async () => {
    const { backend, browser, page } = story;
    const tab = await browser.openTab(page('/offline'));
    const goOnline = await browser.goOffline();
    const early = await browser.openPopup(tab);
    await early.getByRole('button', { name: 'Shorten this page' }).click();
    await early.getByText('Not active yet').waitFor();
    await early.getByRole('button', { name: 'Copy', exact: true }).click();
    await early.getByRole('button', { name: 'Copy again' }).waitFor();
    await early.close();
    const copied = await browser.clipboard();
    expect(copied).toMatch(new RegExp(`^${backend.shortBaseUrl}/\\w{7}$`));
    expect((await fetch(copied)).status).toBe(404);
    expect(backend.links()).toEqual([]);
    // The popup opens offline, so that no result appears under the mouse pointer.
    const waiting = await browser.openPopup(tab);
    await waiting.getByRole('button', { name: 'QR code' }).click();
    await waiting.getByRole('img', { name: copied }).waitFor();
    await waiting.getByRole('button', { name: 'Close' }).click();
    await waiting.close();

    await goOnline();
    const popup = await browser.openPopup(tab);
    await sendNow(popup);
    expect(`http://${await resultIn(popup)}`).toBe(copied);
    await popup.close();
    expect(await targetOf(copied)).toBe(page('/offline'));
    expect(backend.links()).toEqual([page('/offline')]);
    await tab.close();
  });

  test('a killed browser with a full queue loses nothing and sends nothing twice', async () => {
    const { backend, browser } = story;
    const before = backend.links().length;
    const urls = Array.from({ length: WAITING }, (_, index) => `https://www.example.com/${index + 1}`);
    await backend.stop();
    const popup = await browser.openExtensionPage('popup');
    for (const url of urls) {
      await shortenOther(popup, url);
      await popup.getByRole('button', { name: 'Back to this page' }).click();
    }
    await popup.getByRole('heading', { name: `${WAITING} waiting` }).waitFor();
    await browser.kill();

    await backend.start();
    await browser.start();
    await expect.poll(() => backend.links().length, { timeout: 60_000 }).toBe(before + WAITING);
    expect(backend.links().slice(before).toSorted()).toEqual(urls.toSorted());
    const queue = await browser.openExtensionPage('queue');
    await queue.getByText('The queue is empty').first().waitFor();
    await queue.close();
  });

  test('a page of a private window is sent once and stored nowhere until the list of its server is read', async () => {
    const { backend, browser, page } = story;
    const ordinary = await browser.openExtensionPage('popup');
    await shortenOther(ordinary, 'https://www.example.com/plain-as-day');
    await resultIn(ordinary);
    await ordinary.close();
    await browser.allowInPrivateWindows();
    const hidden = await browser.openPrivateWindow(page('/quiet'));
    const { popup } = hidden;
    await popup.getByText('Private: not saved').waitFor();
    await popup.getByText("Your server's list will include this link.").waitFor();
    await shortenOther(popup, 'https://www.example.com/hushed-secret');
    await resultIn(popup);
    const kept = () => browser.inBackground<string>('chrome.storage.session.get().then((all) => JSON.stringify(all))');
    expect(await kept()).not.toContain('hushed');

    // A request that gets no answer is sent again only if the user asks for it, and then creates no second link.
    await backend.stop();
    await shortenOther(popup, 'https://www.example.com/hushed-later');
    await popup.getByText('The connection was lost before a response arrived.').first().waitFor();
    await backend.start();
    await browser.killBackground();
    await popup.getByRole('button', { name: 'Try again' }).click();
    await resultIn(popup);
    expect(backend.links().slice(-2)).toEqual([
      'https://www.example.com/hushed-secret',
      'https://www.example.com/hushed-later',
    ]);
    await hidden.close();
    await browser.close();
    expect(filesWith(browser.profile, 'plain-as-day')).not.toEqual([]);
    expect(filesWith(browser.profile, 'hushed')).toEqual([]);
    await browser.start();

    const links = await browser.openExtensionPage('links');
    await links
      .getByText(/hushed-secret/)
      .first()
      .waitFor();
    await links.close();
  });

  test('a killed background repeats requests that are safe to repeat, and asks the user about the others', async () => {
    const { backend, browser } = story;
    const [gate, specOnly] = await Promise.all([openGate(backend.baseUrl), givenSpecOnlyService()]);
    onTestFinished(() => gate.close());
    const options = await browser.openExtensionPage('options');
    // The backend is connected already, so this connection has another API key. The extension refuses duplicates.
    for (const service of [{ baseUrl: gate.baseUrl, apiKey: backend.createKey('second') }, specOnly]) {
      await connectAnotherOn(options, formatConnectionLink(service));
    }
    await options.close();
    const popup = await browser.openExtensionPage('popup');
    const shortenAt = async ({ baseUrl }: { baseUrl: string }, url: string) => {
      await popup.getByLabel('Shorten with').selectOption(new URL(baseUrl).host);
      await shortenOther(popup, url);
    };
    gate.manner = 'hold';
    specOnly.manner = 'hang';
    await shortenAt(gate, 'https://www.example.com/repeated');
    await popup.getByRole('button', { name: 'Back to this page' }).click();
    await shortenAt(specOnly, 'https://www.example.com/uncertain');
    await expect.poll(() => [gate.answered.length, specOnly.received.length]).toEqual([1, 1]);
    await browser.killBackground();
    gate.manner = 'right';
    specOnly.manner = 'right';

    // An alarm wakes the background worker after 30 seconds at the earliest.
    const target = popup.getByRole('region', { name: 'What to shorten' });
    await target
      .getByText('This link may already exist. Sending it again may create a second one.')
      .waitFor({ timeout: 90_000 });
    // The extension finds the created link by its short code, or sends the same request with the same idempotency
    // key.
    const links = await browser.openExtensionPage('links');
    await links.getByText('www.example.com/repeated').first().waitFor({ timeout: 90_000 });
    await links.close();
    expect(new Set(gate.answered).size).toBe(1);
    expect(gate.answered[0]).toBeTruthy();
    expect(backend.links().filter((url) => url.endsWith('/repeated'))).toHaveLength(1);

    // A send without a known result counts, because the service may have received it.
    const bulk = await browser.openExtensionPage('bulk');
    await bulk.getByLabel('Shorten with').selectOption(new URL(specOnly.baseUrl).host);
    const next = Array.from({ length: 20 }, (_, at) => `https://www.example.com/next-${at}`);
    await addToList(bulk, next.join('\n'));
    await bulk.getByText('Needs up to 20 requests, but you have 19 left today').waitFor();
    await bulk.close();
    await popup.getByRole('button', { name: 'Dismiss: https://www.example.com/uncertain' }).click();
    await expect.poll(() => target.getByText('This link may already exist').count()).toBe(0);
    expect(specOnly.received).toHaveLength(1);
    await popup.close();
  });
}

function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => contentOf(file).includes(text));
}

/** Returns an empty buffer if a process of a closed browser has just deleted the file. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}
