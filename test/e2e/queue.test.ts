import { expect, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { until } from './harness/until.ts';
import { givenConnection } from './harness/world.ts';

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

/** The budget is whole again at 00:00 UTC; a test that spends it must not run across that. */
async function awayFromMidnight(): Promise<void> {
  const now = new Date();
  const isLate = () => now.getUTCHours() === 23 && now.getUTCMinutes() >= 58;
  await until('the next UTC day', () => !(now.setTime(Date.now()) && isLate()), 130_000);
}
