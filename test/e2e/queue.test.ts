import { formatConnectionLink } from '@terse/contract';
import { expect, onTestFinished, test } from 'vitest';
import { SHIPPED, withLoopbackGranted } from './harness/extension-copy.ts';
import { openGate } from './harness/gate.ts';
import { openExtensionPage } from './harness/pages.ts';
import { connect, resultIn, shortenOther } from './harness/person.ts';
import { until } from './harness/until.ts';
import { killWorker } from './harness/worker.ts';
import { givenBackend, givenChromium, givenConnection } from './harness/world.ts';

const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://www.example.com/${index + 1}`);

test('the 21st request of the day waits and says until when', async () => {
  await awayFromMidnight();
  const { backend, browser } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  for (const url of urls(20)) {
    await shortenOther(popup, url);
    await resultIn(popup);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await popup.getByText('0 of 20 left').waitFor();

  await shortenOther(popup, 'https://www.example.com/21');
  await popup
    .getByText(/It works once it is sent, (in|at|tomorrow at) .+ at the earliest: the budget is used up\./)
    .waitFor();
  expect(backend.links()).toEqual(urls(20));
});

test('while the service is down requests wait, and each is sent once when it is back', async () => {
  const { backend, browser } = await givenConnection();
  await backend.stop();
  const popup = await openExtensionPage(browser, 'popup');
  for (const url of urls(3)) {
    await shortenOther(popup, url);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await popup.getByText('The service cannot be reached.').first().waitFor();

  await backend.start();
  await expect.poll(() => backend.links().length, { timeout: 60_000 }).toBe(3);
  await expect.poll(() => popup.getByRole('heading', { name: 'Queue' }).count()).toBe(0);
  expect(backend.links().toSorted()).toEqual(urls(3));
});

test('a worker killed while its request is answered makes one link, by itself', async () => {
  const [backend, browser] = await Promise.all([givenBackend(), givenChromium()]);
  const gate = await openGate(backend.baseUrl);
  onTestFinished(() => gate.close());
  await connect(browser, formatConnectionLink({ baseUrl: gate.baseUrl, apiKey: backend.apiKey }));
  const popup = await openExtensionPage(browser, 'popup');

  gate.manner = 'hold';
  await shortenOther(popup, 'https://www.example.com/interrupted');
  await until('the answer to be held back', () => gate.answered.length === 1);
  await killWorker(browser);
  gate.manner = 'right';

  await expect.poll(() => gate.answered.length, { timeout: 90_000 }).toBe(2);
  await resultIn(popup);
  expect(gate.answered[1]).toBe(gate.answered[0]);
  expect(gate.answered[0]).toBeTruthy();
  expect(backend.links()).toEqual(['https://www.example.com/interrupted']);
});

test('a browser killed with a full queue loses nothing and sends nothing twice', async () => {
  const backend = await givenBackend({ TERSE_DAILY_QUOTA: '1000' });
  const extension = withLoopbackGranted(SHIPPED.chrome);
  const first = await givenChromium({ extension });
  await connect(first, backend.connectionLink);
  await backend.stop();
  const popup = await openExtensionPage(first, 'popup');
  for (const url of urls(30)) {
    await shortenOther(popup, url);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await popup.getByRole('button', { name: 'Show all 30' }).waitFor();
  await first.kill();

  await backend.start();
  const second = await givenChromium({ extension, profile: first.profile });
  await expect.poll(() => backend.links().length, { timeout: 60_000 }).toBe(30);
  const later = await openExtensionPage(second, 'popup');
  await expect.poll(() => later.getByRole('heading', { name: 'Queue' }).count()).toBe(0);
  expect(backend.links().toSorted()).toEqual(urls(30).toSorted());
});

/** The budget is whole again at 00:00 UTC; a test that spends it must not run across that. */
async function awayFromMidnight(): Promise<void> {
  const now = new Date();
  const isLate = () => now.getUTCHours() === 23 && now.getUTCMinutes() >= 58;
  await until('the next UTC day', () => !(now.setTime(Date.now()) && isLate()), 130_000);
}
