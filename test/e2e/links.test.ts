import { describe, expect, test } from 'vitest';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { chooseInMenu, resultIn, shortenOther } from './harness/person.ts';
import { BROWSERS_FOR_PAGES, tellStory } from './harness/world.ts';

// Tests fast input on the links page. The order of change, focus and key events differs between browsers.

/** Expression that returns the last letters of the listed URLs. */
const SHOWN = "[...document.querySelectorAll('.link .address')].map((e) => e.textContent.at(-1)).join('')";

describe.each(BROWSERS_FOR_PAGES)('$name', (kind) => {
  const story = tellStory(kind);

  /** Opens the links page as soon as the page lists links to exactly these URLs. */
  async function openLinks(names: string): Promise<BrowserPage> {
    const links = await story.browser.openExtensionPage('links');
    await expect.poll(() => links.evaluate(SHOWN)).toBe(names);
    return links;
  }

  const removeTop = (links: BrowserPage) => chooseInMenu(links.locator('.link').first(), 'Delete');

  test('a deleted link does not reappear briefly when the next link is deleted', async () => {
    const popup = await story.browser.openExtensionPage('popup');
    for (const name of 'abcd') {
      await shortenOther(popup, `https://www.example.com/${name}`);
      await resultIn(popup);
      await popup.getByRole('button', { name: 'Back to this page' }).click();
    }
    await popup.close();
    const links = await openLinks('dcba');
    await links.evaluate(`(() => {
      globalThis.seen = [];
      const changes = { childList: true, subtree: true };
      new MutationObserver(() => seen.push(${SHOWN})).observe(document.body, changes);
    })()`);
    await removeTop(links);
    await removeTop(links);
    // The extension deletes the second link too, after the time for undo is over.
    const other = await story.browser.openExtensionPage('links');
    await expect.poll(() => other.evaluate(SHOWN)).toMatch(/^c?ba$/);
    await other.close();
    await links.bringToFront();
    const seen = (await links.evaluate('globalThis.seen')) as string[];
    // Skips the states before the first deletion, when the page may still be reading the service's list.
    expect([...new Set(seen.slice(seen.indexOf('cba')))]).toEqual(['cba', 'ba']);
    await links.close();
  });

  test('a link deleted by keyboard can be restored by keyboard, and its text is right-aligned from right to left', async () => {
    const links = await openLinks('ba');
    await links
      .getByRole('button', { name: /^More actions for/ })
      .first()
      .press('Enter');
    await links.keyboard.press('ArrowUp');
    await links.keyboard.press('Enter');
    await expect.poll(() => links.evaluate('document.activeElement.textContent')).toBe('Undo');
    await links.keyboard.press('Enter');
    await expect.poll(() => links.evaluate(SHOWN)).toBe('ba');
    await expect.poll(() => links.evaluate('document.activeElement.tagName')).toBe('H1');
    await links.evaluate("document.documentElement.setAttribute('dir', 'rtl')");
    expect(await links.evaluate("getComputedStyle(document.querySelector('.link .line')).textAlign")).toBe('right');
    await links.close();
  });
});
