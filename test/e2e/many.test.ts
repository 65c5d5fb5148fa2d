import { formatConnectionLink, HEADER, KeyDocument } from '@terse/contract';
import { expect, test } from 'vitest';
import { readClipboard } from './harness/clipboard.ts';
import { SHIPPED, withLoopbackGranted } from './harness/extension-copy.ts';
import { openExtensionPage } from './harness/pages.ts';
import { connect, shortenPage } from './harness/person.ts';
import { tempFolder } from './harness/temp.ts';
import { givenChromium, givenConnection, givenSpecOnlyService } from './harness/world.ts';

test('a list that is pasted is shown, thinned, sent as one batch, and its short URLs are copied in its order', async () => {
  const { backend, browser, page } = await givenConnection();
  await shortenPage(browser, page('/known'));
  await expect.poll(() => backend.links().length).toBe(1);
  const urls = Array.from({ length: 30 }, (_, at) => `https://www.example.com/${at + 1}`);
  const many = await openExtensionPage(browser, 'many');
  const text = ['A list of mine', page('/known'), ...urls, urls[0], 'mailto:a@example.com'].join('\n');
  await many.getByLabel(/^Paste a list/).fill(text);
  await many.getByRole('button', { name: 'Add to the list' }).click();
  await many.getByText('2 lines cannot be sent').waitFor();
  await many.getByText('31 of 31 chosen').waitFor();
  await many.getByText('Has a short URL already').waitFor();
  await many.getByText('2 times in the list, sent once').waitFor();
  await many.getByRole('checkbox', { name: /\/3$/ }).uncheck();
  await many.getByText(/^Costs 1 of the \d+ requests left today/).waitFor();
  await many.getByRole('button', { name: 'Shorten 30 addresses' }).click();

  await many.getByText('Done: 30 short URLs').waitFor();
  const sent = urls.filter((_, at) => at !== 2);
  expect(backend.links().toSorted()).toEqual([page('/known'), ...sent].toSorted());
  const answer = await fetch(`${backend.baseUrl}/api/v1/key`, { headers: { [HEADER.apiKey]: backend.apiKey } });
  const { quota } = KeyDocument.parse(await answer.json());
  expect(quota.limit - quota.remaining).toBe(2);

  await many.reload();
  await many.getByText('Done: 30 short URLs').waitFor();
  await many.bringToFront();
  await many.getByRole('button', { name: 'CSV' }).click();
  const rows = (await readClipboard(browser, backend.baseUrl)).trim().split('\r\n').slice(1);
  expect(rows.map((row) => row.split(',')[1])).toEqual([page('/known'), ...sent]);
});

test('a queue that is paused stays so when the browser is killed, and goes on in the order that it was given', async () => {
  const [service, profile] = [await givenSpecOnlyService(), tempFolder('profile')];
  const extension = withLoopbackGranted(SHIPPED.chrome);
  const first = await givenChromium({ extension, profile });
  await connect(first, formatConnectionLink(service));
  const page = await openExtensionPage(first, 'queue-page');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('You have paused this queue.').waitFor();
  const many = await openExtensionPage(first, 'many');
  await many
    .getByLabel(/^Paste a list/)
    .fill(['a', 'b', 'c'].map((name) => `https://www.example.com/${name}`).join('\n'));
  await many.getByRole('button', { name: 'Add to the list' }).click();
  await many.getByRole('button', { name: 'Shorten 3 addresses' }).click();
  await many.getByText('Paused by you').first().waitFor();
  await first.kill();

  const second = await givenChromium({ extension, profile });
  const again = await openExtensionPage(second, 'queue-page');
  await again.getByRole('button', { name: 'A list of 3 addresses', exact: true }).click();
  await again.getByRole('button', { name: 'To the front: https://www.example.com/c' }).click();
  await again.getByText('Moved').waitFor({ state: 'attached' });
  expect(service.received).toEqual([]);
  await again.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBe(3);
  expect(service.received.map(({ url }) => url.at(-1))).toEqual(['c', 'a', 'b']);
});
