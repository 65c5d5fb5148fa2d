import { expect, test } from 'vitest';
import { readClipboard } from './harness/clipboard.ts';
import { openPopup, openTab } from './harness/pages.ts';
import { until } from './harness/until.ts';
import { worker } from './harness/worker.ts';
import { givenBackend, givenChromium, givenSite } from './harness/world.ts';

const WELCOME = '/src/welcome/index.html';

test('a new person comes from the installation to a copied link on one page, and it opens once', async () => {
  const [backend, site, browser] = await Promise.all([givenBackend(), givenSite(), givenChromium({ welcome: true })]);
  const pages = () => browser.context.pages().filter((page) => page.url().includes(WELCOME));
  const welcome = await until('the page for a new person', () => pages()[0]);

  // What was started by mistake has a way back.
  await welcome.getByText('Connect your service above, then this button works.').waitFor();
  await welcome.getByLabel('Service address').fill('http://links.example.com');
  await welcome.getByRole('button', { name: 'Connect', exact: true }).click();
  await welcome.getByText('With http your key would travel unprotected.').waitFor();

  await welcome.getByLabel('Service address').fill(backend.connectionLink);
  await welcome.getByRole('button', { name: 'Connect', exact: true }).click();
  await welcome.getByText('Connected. You can shorten from now on.').waitFor();
  expect(await welcome.content()).not.toContain(backend.apiKey);

  await welcome.getByRole('img', { name: /puzzle piece marked/ }).waitFor();
  await welcome.getByLabel('Address to shorten').fill('https://www.example.com/first');
  await welcome.getByRole('button', { name: 'Shorten', exact: true }).click();
  await welcome.getByText('That is all. On any page, press Terse in the toolbar').waitFor();
  await welcome.bringToFront();
  await welcome.getByRole('button', { name: /^Cop/ }).last().click();
  await welcome.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(backend.links()).toEqual(['https://www.example.com/first']);
  expect(await readClipboard(browser, site.origin)).toMatch(new RegExp(`^${backend.shortBaseUrl}/\\w+$`));

  // A worker that starts anew opens nothing.
  const session = await welcome.context().newCDPSession(welcome);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await until('the worker to have ended', async () => (await worker(browser)) === undefined);
  await welcome.reload();
  await welcome.getByText('Connected', { exact: true }).waitFor();
  expect(await welcome.evaluate("chrome.runtime.sendMessage({ type: 'online' })")).toMatchObject({ ok: true });
  expect(pages()).toHaveLength(1);
});

test('whoever closes it comes back to it from the popup', async () => {
  const [browser, site] = await Promise.all([givenChromium(), givenSite()]);
  const popup = await openPopup(browser, await openTab(browser, site.origin));
  await popup.getByRole('button', { name: 'Connect a service' }).click();
  await until('the page for a new person', () => browser.context.pages().find((page) => page.url().includes(WELCOME)));
});
