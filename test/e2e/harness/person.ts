import type { Page } from 'playwright-core';
import type { BrowserPage } from './browser-under-test.ts';
import type { Browser } from './chromium.ts';
import { openExtensionPage, openPopup, openTab } from './pages.ts';
import { until } from './until.ts';

/** What the options page says of a service that tells who it is, and of one that does not. */
const CONNECTED = /^(Connected\. You can shorten from now on\.|Saved\. Something answers there)/;

/** Opens the options page and connects there; the page stays open. */
export async function connect(browser: Browser, connectionLink: string): Promise<Page> {
  const options = await openExtensionPage(browser, 'options');
  await connectOn(options, connectionLink);
  return options;
}

/** Pastes a connection link into the options page, presses Connect and waits until it is connected. */
export async function connectOn(options: BrowserPage, connectionLink: string): Promise<void> {
  await options.getByLabel('Service address').fill(connectionLink);
  await options.getByRole('button', { name: 'Accept and connect', exact: true }).click();
  await options.getByText(CONNECTED).waitFor();
}

/** Connects another service on the options page, beside those that are connected. */
export async function connectAnotherOn(options: BrowserPage, connectionLink: string): Promise<void> {
  await options.getByRole('button', { name: 'Add a connection' }).click();
  // Another connection's form may be open until then: what is typed would go into it.
  await until('an empty form', async () => (await options.getByLabel('Service address').inputValue()) === '');
  await connectOn(options, connectionLink);
}

/** Opens a page, then the popup over it, and presses its one button. */
export async function shortenPage(browser: Browser, url: string): Promise<Page> {
  const popup = await openPopup(browser, await openTab(browser, url));
  await popup.getByRole('button', { name: 'Shorten this page' }).click();
  return popup;
}

/** Types a URL into the popup's box for any other URL and sends it off. */
export async function shortenOther(popup: BrowserPage, url: string): Promise<void> {
  await popup.getByLabel('Any other URL').fill(url);
  await popup.getByRole('button', { name: 'Shorten', exact: true }).click();
}

/** The short URL that the popup shows as the result, once it does; without its scheme, as people read it. */
export async function resultIn(popup: BrowserPage): Promise<string> {
  const result = popup.locator('.result:not(.is-waiting) .result-url');
  await result.waitFor();
  return ((await result.textContent()) ?? '').trim();
}
