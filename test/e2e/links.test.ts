import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { givenConnection } from './harness/world.ts';

/** Asks the service as another browser would. */
async function api(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; json: unknown }> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const response = await fetch(`${baseUrl}/api/v1/${path}`, { method, headers, ...sent });
  return { status: response.status, json: await response.json().catch(() => null) };
}

/** The links page over links to /a, /b and so on, the last made on top. */
async function givenLinks(names: string) {
  const { browser } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  for (const name of names) {
    await shortenOther(popup, `https://www.example.com/${name}`);
    await resultIn(popup);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  const links = await openExtensionPage(browser, 'links');
  await expect.poll(() => shown(links)).toBe([...names].reverse().join(''));
  return { browser, links };
}

/** The last letters of the URLs listed. */
function shown(links: Page): Promise<string> {
  return links.evaluate(() =>
    [...document.querySelectorAll('.link .address')].map((e) => e.textContent?.at(-1)).join(''),
  );
}

const removeTop = (links: Page) => links.getByRole('button', { name: /^Delete/ }).first();

test('a link that is removed does not come back for a moment when the next one goes', async () => {
  const { browser, links } = await givenLinks('abcd');
  await links.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const look = () =>
      seen.push([...document.querySelectorAll('.link .address')].map((e) => e.textContent?.at(-1)).join(''));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await removeTop(links).click();
  await removeTop(links).click();
  const other = await openExtensionPage(browser, 'links');
  await expect.poll(() => shown(other)).toBe('cba');
  await other.close();
  await links.bringToFront();
  const seen = await links.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  expect([...new Set(seen)]).toEqual(['cba', 'ba']);
});

test('by keyboard the place in the list is kept, and a removal undone', async () => {
  const { links } = await givenLinks('abc');
  const focused = () =>
    links.evaluate(() => document.activeElement?.closest('.link')?.querySelector('.address')?.textContent);
  await removeTop(links).focus();
  await links.keyboard.press('Enter');
  await expect.poll(focused).toMatch(/b$/);
  await links.getByText('Ctrl+Z brings it back.').waitFor({ state: 'attached' });
  await links.keyboard.press('Control+z');
  await expect.poll(() => shown(links)).toBe('cba');
  expect(await focused()).toMatch(/c$/);
});

test('an undo pressed the moment it is offered is heard', async () => {
  const { links } = await givenLinks('abc');
  await links.evaluate(() => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector('.toast')) return;
      watcher.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
      document.body.dataset.pressed = '';
    });
    watcher.observe(document.body, { childList: true, subtree: true });
  });
  await removeTop(links).click();
  await links.locator('body[data-pressed]').waitFor();
  await expect.poll(() => shown(links)).toBe('cba');
});

test('a copy that the browser refuses is said where the person looks', async () => {
  const { links } = await givenLinks('a');
  await links.evaluate(() =>
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new DOMException('No', 'NotAllowedError')) }),
  );
  await links.getByRole('button', { name: /^Copy/ }).click();
  await links.locator('.toast').getByText('The browser refused to copy.').waitFor();
  await links.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => links.locator('.toast').count()).toBe(0);
});

test('from right to left every line of foreign text starts at the right', async () => {
  const { links } = await givenLinks('a');
  await links.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  const line = links.locator('.link .line').first();
  expect(await line.evaluate((element) => getComputedStyle(element).textAlign)).toBe('right');
});

test('a link made elsewhere is there, is edited and deleted from the page, and is there without a network', async () => {
  const { backend, browser } = await givenConnection();
  for (const name of ['otter', 'badger', 'beaver']) {
    const made = await api(backend, 'POST', 'urls', { url: `https://www.example.com/${name}`, shortCode: name });
    expect(made.status).toBe(201);
  }
  await fetch(`${backend.shortBaseUrl}/otter`, { redirect: 'manual' });
  const links = await openExtensionPage(browser, 'links');
  const row = (name: string) => links.locator('.link', { hasText: `/${name}` });
  await row('otter').waitFor();

  await row('otter').getByRole('button', { name: /^Edit/ }).click();
  await links.getByLabel('Address it leads to').fill('ftp://www.example.com/');
  await links.getByRole('button', { name: 'Save' }).click();
  await links.getByText('The service does not take this URL.').waitFor();
  await links.getByLabel('Address it leads to').fill('https://www.example.com/sea-otter');
  await links.getByLabel('Title').fill('Sea otters');
  await links.getByRole('button', { name: 'Save' }).click();
  await links.getByText('Sea otters').waitFor();
  const edited = await api(backend, 'GET', 'urls/otter');
  expect(edited.json).toMatchObject({ url: 'https://www.example.com/sea-otter', title: 'Sea otters' });

  await row('otter')
    .getByRole('button', { name: /clicks? on/ })
    .click();
  await links.locator('dialog .chart').waitFor();
  await links.getByRole('button', { name: 'Close' }).click();

  await row('badger')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await links.getByRole('button', { name: /^Undo/ }).click();
  await row('badger').waitFor();
  expect((await api(backend, 'GET', 'urls/badger')).status).toBe(200);
  await row('badger')
    .getByRole('button', { name: /^Delete/ })
    .click();
  // What was asked for holds where the page is left before the time of the undo is up.
  await links.close();
  await expect.poll(async () => (await api(backend, 'GET', 'urls/badger')).status).toBe(410);

  await api(backend, 'DELETE', 'urls/beaver');
  await api(backend, 'PATCH', 'urls/otter', { title: 'Renamed elsewhere' });
  const again = await openExtensionPage(browser, 'links');
  await again.getByText('Renamed elsewhere').waitFor();
  await expect.poll(() => again.locator('.link').count()).toBe(1);

  await backend.kill();
  const offline = await openExtensionPage(browser, 'links');
  await offline.getByText('Renamed elsewhere').waitFor();
  await offline.getByText(/cannot be reached.*Shown as read/).waitFor();
});
