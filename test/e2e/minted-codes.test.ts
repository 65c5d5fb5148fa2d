import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readClipboard } from './harness/clipboard.ts';
import { goOffline } from './harness/offline.ts';
import { openPopup, openTab } from './harness/pages.ts';
import { resultIn } from './harness/person.ts';
import { inWorker } from './harness/worker.ts';
import { givenConnection } from './harness/world.ts';

/** Orders the page's short URL without a network, and copies the one that it is to have. */
async function copyEarly({ browser, site, page }: Awaited<ReturnType<typeof givenConnection>>, path: string) {
  // Awake, so that there is one to take the network from.
  await inWorker(browser, 'chrome.runtime.getPlatformInfo()');
  const goOnline = await goOffline(browser);
  const tab = await openTab(browser, page(path));
  const popup = await openPopup(browser, tab);
  await popup.getByRole('button', { name: 'Shorten this page' }).click();
  await popup.locator('.state-why', { hasText: 'The service cannot be reached.' }).waitFor();
  await popup.getByRole('button', { name: 'Copy now' }).click();
  await popup.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  const copied = await readClipboard(browser, site.origin);
  return { tab, copied, goOnline };
}

/** Tries again, unless it has been by itself meanwhile. */
async function sendNow(popup: Page): Promise<void> {
  const again = popup.getByRole('button', { name: /^Try again: / });
  const result = popup.locator('.result:not(.is-waiting)');
  await again.or(result).first().waitFor();
  await again.click({ timeout: 5_000 }).catch(() => result.waitFor());
}

test('without a network the popup has the short URL already, and it is the one that works later', async () => {
  const world = await givenConnection();
  const { backend, browser, site, page } = world;
  const { tab, copied, goOnline } = await copyEarly(world, '/offline');
  expect(copied).toMatch(new RegExp(`^${backend.shortBaseUrl}/\\w{7}$`));
  expect((await fetch(copied)).status).toBe(404);
  expect(backend.links()).toEqual([]);
  // What the person copies since is theirs.
  await tab.bringToFront();
  await browser.context.grantPermissions(['clipboard-write'], { origin: site.origin });
  const other = await openTab(browser, site.origin);
  await other.evaluate(() => navigator.clipboard.writeText('something else'));
  await other.close();

  await goOnline();
  const popup = await openPopup(browser, tab);
  await popup.getByRole('button', { name: 'QR code' }).click();
  await popup.getByRole('img', { name: copied }).waitFor();
  await popup.getByRole('button', { name: 'Close' }).click();
  await sendNow(popup);
  expect(`http://${await resultIn(popup)}`).toBe(copied);
  const redirect = await fetch(copied, { redirect: 'manual' });
  expect(redirect.headers.get('location')).toBe(page('/offline'));
  expect(backend.links()).toEqual([page('/offline')]);
  expect(await readClipboard(browser, site.origin)).toBe('something else');
});

test('a code that somebody else has got meanwhile is minted again, and whoever copied it is told', async () => {
  const world = await givenConnection();
  const { backend, browser, page } = world;
  const { tab, copied, goOnline } = await copyEarly(world, '/taken');
  const made = await fetch(`${backend.baseUrl}/api/v1/urls`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${backend.createKey('somebody')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://www.example.com/theirs', shortCode: copied.split('/').at(-1) }),
  });
  expect(made.status).toBe(201);

  await goOnline();
  const popup = await openPopup(browser, tab);
  await sendNow(popup);
  await popup.getByText(`Do not use ${copied} any more: somebody else may have it.`).first().waitFor();
  const fresh = `http://${await resultIn(popup)}`;
  expect(fresh).not.toBe(copied);
  const redirect = await fetch(fresh, { redirect: 'manual' });
  expect(redirect.headers.get('location')).toBe(page('/taken'));
  expect(backend.links()).toEqual(['https://www.example.com/theirs', page('/taken')]);
});
