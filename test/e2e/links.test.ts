import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { givenConnection } from './harness/world.ts';

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
  // Until the first is removed, the page may note that it has read the service's list.
  expect([...new Set(seen.slice(seen.indexOf('cba')))]).toEqual(['cba', 'ba']);
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
