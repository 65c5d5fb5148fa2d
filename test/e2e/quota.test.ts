import { describe, expect, test } from 'vitest';
import { awayFromMidnight } from '../../backend/test/support/clock.ts';
import { callApi } from './harness/backend.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { BROWSERS_FOR_PAGES, tellStory } from './harness/world.ts';

const QUOTA = 20;

const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://www.example.com/${index + 1}`);

describe.each(BROWSERS_FOR_PAGES)('$name', (kind) => {
  const story = tellStory(kind, { settings: { TERSE_DAILY_QUOTA: String(QUOTA) } });

  test('connecting uses no quota, and the 21st request of the day waits, even if others used the quota', async () => {
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
    await popup.getByText('Not active yet', { exact: true }).waitFor();
    await popup.getByText(/^No links left today\. Sending (in|at|tomorrow at) /).waitFor();
    expect(backend.links()).toEqual(urls(QUOTA));
    await popup.close();
  });
});
