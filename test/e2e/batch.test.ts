import { HEADER, KeyDocument } from '@terse/contract';
import { expect, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { shortenOther } from './harness/person.ts';
import { givenConnection } from './harness/world.ts';

test('requests that waited together are made into links by one request of the budget', async () => {
  const { backend, browser } = await givenConnection();
  await backend.stop();
  const urls = Array.from({ length: 6 }, (_, at) => `https://www.example.com/${at + 1}`);
  const popup = await openExtensionPage(browser, 'popup');
  for (const url of urls) {
    await shortenOther(popup, url);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await popup.getByText('The service cannot be reached.').first().waitFor();

  await backend.start();
  await expect.poll(() => backend.links().length, { timeout: 60_000 }).toBe(6);
  expect(backend.links().toSorted()).toEqual(urls);
  const answer = await fetch(`${backend.baseUrl}/api/v1/key`, { headers: { [HEADER.apiKey]: backend.apiKey } });
  const { quota } = KeyDocument.parse(await answer.json());
  // One that was tried while the service was away goes alone, by the key it went with; the others go together.
  expect(quota.limit - quota.remaining).toBe(2);
});
