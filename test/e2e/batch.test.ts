import { HEADER, KeyDocument } from '@terse/contract';
import { expect, test } from 'vitest';
import { awayFromMidnight } from '../../backend/test/support/clock.ts';
import { targetOf } from './harness/backend.ts';
import { openExtensionPage, openPopup, openTab } from './harness/pages.ts';
import { shortenOther } from './harness/person.ts';
import { givenConnection } from './harness/world.ts';

// Chromium only, because building a batch does not depend on the browser. flows-pages.test.ts sends a batch in both
// browsers.

test('six requests that waited during an outage count as two against the quota, and keep their chosen codes', async () => {
  const { backend, browser, page } = await givenConnection();
  await backend.stop();
  const popup = await openExtensionPage(browser, 'popup');
  const urls = Array.from({ length: 4 }, (_, at) => `https://www.example.com/${at + 1}`);
  for (const url of urls) {
    await shortenOther(popup, url);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await popup.close();
  const codes = ['otter', 'badger'];
  for (const code of codes) {
    const over = await openPopup(browser, await openTab(browser, page(`/${code}`)));
    await over.getByRole('button', { name: 'Customize' }).click();
    await over.getByLabel('Short code').fill(code);
    await over.getByRole('button', { name: 'Shorten this page' }).click();
    await over.getByText("The server can't be reached.").first().waitFor();
    await over.close();
  }

  await awayFromMidnight();
  await backend.start();
  const all = [...urls, ...codes.map((code) => page(`/${code}`))];
  await expect.poll(() => backend.links().length, { timeout: 60_000 }).toBe(all.length);
  expect(backend.links().toSorted()).toEqual(all.toSorted());
  for (const code of codes) expect(await targetOf(`${backend.shortBaseUrl}/${code}`)).toBe(page(`/${code}`));
  const answer = await fetch(`${backend.baseUrl}/api/v1/key`, { headers: { [HEADER.apiKey]: backend.apiKey } });
  const { quota } = KeyDocument.parse(await answer.json());
  // Two requests count against the quota. A request that was tried during the outage is sent alone, and all other
  // requests are sent as one batch.
  expect(quota.limit - quota.remaining).toBe(2);
});
