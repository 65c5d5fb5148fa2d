import { expect, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { worker } from './harness/worker.ts';
import { givenConnection } from './harness/world.ts';

test('a background that is awake goes on after the browser has cleared its data', async () => {
  const { backend, browser, options } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  await shortenOther(popup, 'https://www.example.com/before');
  await resultIn(popup);
  const awake = await worker(browser);

  const session = await popup.context().newCDPSession(popup);
  const origin = `chrome-extension://${browser.extensionId}`;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await options.reload();
  await options.getByLabel('Service address').fill(backend.connectionLink);
  await options.getByRole('button', { name: 'Connect', exact: true }).click();
  await options.getByText('Connected. You can shorten from now on.').waitFor();
  await popup.reload();
  await shortenOther(popup, 'https://www.example.com/after');
  await resultIn(popup);

  expect(backend.links()).toEqual(['https://www.example.com/before', 'https://www.example.com/after']);
  expect((await worker(browser))?.targetId).toBe(awake?.targetId);
});
