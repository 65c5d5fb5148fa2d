import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { targets } from '../../scripts/browsers/targets.ts';
import type { Browser } from './harness/chromium.ts';
import { extensionUrl, openExtensionPage, openTab } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { until } from './harness/until.ts';
import { inWorker } from './harness/worker.ts';
import { givenConnection } from './harness/world.ts';

/** Allows the extension in private windows, as a person does in its details; the browser starts it anew for that. */
async function allowInPrivate(browser: Browser): Promise<void> {
  const settings = await openTab(browser, 'chrome://extensions/');
  await settings.evaluate(async (extensionId) => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own interface, which has no types.
    const { developerPrivate } = (globalThis as any).chrome;
    // Without it, an extension that is no store's is not started again.
    await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
    await developerPrivate.updateExtensionConfiguration({ extensionId, incognitoAccess: true });
  }, browser.extensionId);
  await settings.close();
  // Nothing but a page of its own wakes it then.
  await until('the extension to be there again', () => openExtensionPage(browser, 'options').catch(() => null));
}

/** Opens a page in a private window, and the popup over it. */
async function openPrivate(browser: Browser, url: string): Promise<{ popup: Page; close: () => Promise<void> }> {
  const create = `chrome.windows.create({ incognito: true, url: ${JSON.stringify(url)} }).then(({ id }) => id)`;
  const id = await inWorker<number>(browser, create);
  const tab = await until('the tab', async () => (await targets(browser.cdp, 'tab')).find((one) => one.url === url));
  await browser.cdp.send('Extensions.triggerAction', { id: browser.extensionId, targetId: tab.targetId });
  const address = extensionUrl(browser, 'popup');
  const popup = await until('the popup', async () =>
    (await browser.connect()).pages().find((page) => page.url().startsWith(address)),
  );
  const close = async () => {
    await popup.close().catch(() => undefined);
    await inWorker(browser, `chrome.windows.remove(${id}).then(() => true)`);
  };
  return { popup, close };
}

test('what was shortened in private windows is forgotten when the last of them is closed', async () => {
  const { browser, page } = await givenConnection();
  await allowInPrivate(browser);
  const first = await openPrivate(browser, page('/one'));
  await first.popup.getByText('Private: not saved').waitFor();
  await shortenOther(first.popup, 'https://www.example.com/secret');
  await resultIn(first.popup);
  const kept = () => inWorker<string>(browser, 'chrome.storage.session.get().then((all) => JSON.stringify(all))');
  expect(await kept()).toContain('/secret');

  await first.close();
  await expect.poll(kept).not.toContain('/secret');
  const second = await openPrivate(browser, page('/two'));
  await second.popup.getByText('Private: not saved').waitFor();
  expect(await second.popup.locator('main').innerText()).not.toContain('secret');
  await second.close();
});
