import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { awayFromMidnight } from '../../backend/test/support/clock.ts';
import { callApi } from './harness/backend.ts';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { listen } from './harness/listen.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { BROWSERS_FOR_PAGES, tellStory } from './harness/world.ts';

// Tests connecting and rate limits in both browsers, because the browsers report unreachable servers differently.

const QUOTA = 20;

const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://www.example.com/${index + 1}`);

describe.each(BROWSERS_FOR_PAGES)('$name', (kind) => {
  const story = tellStory(kind, { begin: 'new', settings: { TERSE_DAILY_QUOTA: String(QUOTA) } });

  async function connect(options: BrowserPage, address: string, key: string): Promise<void> {
    await options.getByLabel('Server address').fill(address);
    await options.getByLabel('API key').fill(key);
    await options.getByRole('button', { name: 'Connect', exact: true }).click();
  }

  test('an invalid address, a wrong key and an unreachable service have different messages', async () => {
    const { backend, browser } = story;
    const options = await browser.openExtensionPage('options');
    await connect(options, 'http://links.example.com', 'a-key');
    await options.getByText('With http, your key would be sent unencrypted.').waitFor();
    await connect(options, backend.baseUrl, 'terse_not_a_key');
    await options.getByText('The server does not accept this API key.').first().waitFor();
    await backend.stop();
    await connect(options, backend.baseUrl, backend.apiKey);
    await options.getByText('Nothing responds at this address.').first().waitFor();
    await backend.start();
    await options.close();
  });

  test('"Save" tests the stored connection, uses no quota, and keeps the focus', async () => {
    const { backend, browser } = story;
    const options = await browser.openExtensionPage('options');
    await options.locator('.connection-head').click();
    for (let time = 0; time < 3; time++) {
      await options.getByRole('button', { name: 'Save', exact: true }).press('Enter');
      await options.getByText('Connected. You can shorten links now.').first().waitFor();
    }
    const key = await callApi(backend, 'GET', 'key');
    expect(key.json).toMatchObject({ quota: { remaining: QUOTA } });
    expect(await options.evaluate('document.activeElement?.textContent')).toBe('Save');
    await options.close();
  });

  test('the 21st request of the day waits and shows its send time, even if others used the quota', async () => {
    const { backend, browser } = story;
    await awayFromMidnight();
    for (const url of urls(QUOTA - 2)) expect((await callApi(backend, 'POST', 'urls', { url })).status).toBe(201);
    const popup = await browser.openExtensionPage('popup');
    for (const url of urls(QUOTA).slice(-2)) {
      await shortenOther(popup, url);
      await resultIn(popup);
      await popup.getByRole('button', { name: 'Back to this page' }).click();
    }
    await popup.getByText(/^No links left today · more /).waitFor();

    await shortenOther(popup, 'https://www.example.com/21');
    await popup.getByText('Not active yet').waitFor();
    await popup.getByText(/^No links left today\. Sending (in|at|tomorrow at) /).waitFor();
    expect(backend.links()).toEqual(urls(QUOTA));
    await popup.close();
  });

  test('deleting a connection by keyboard focuses the address field, and a gateway error is reported as such', async () => {
    const { browser } = story;
    const options = await browser.openExtensionPage('options');
    await options.getByRole('button', { name: 'Connected' }).press('Enter');
    await options.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await options.locator('dialog').getByText('Waiting links: 1. They will be canceled.').waitFor();
    await options.locator('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await options.getByText('The connection was removed.').waitFor();
    await expect.poll(() => options.evaluate('document.activeElement?.id')).toBe('address');

    const gateway = createServer((_request, response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'));
    const { origin, close } = await listen(gateway);
    onTestFinished(close);
    await options.getByLabel('Server address').fill(`${origin}/#key=anything-at-all`);
    await options.getByRole('button', { name: 'Connect', exact: true }).click();
    await options.getByText("Saved, but the server didn't respond.").first().waitFor();
    await options.getByText('The server at this address is temporarily unavailable.').first().waitFor();
    await options.close();
  });
});
