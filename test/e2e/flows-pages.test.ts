import { KeyDocument } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { awayFromMidnight } from '../../backend/test/support/clock.ts';
import type { Link } from '../../src/queue/types.ts';
import { callApi, targetOf } from './harness/backend.ts';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { addToList, chooseInMenu, clickAndLeave, resultIn, shortenOther } from './harness/person.ts';
import { storedData } from './harness/stored-data.ts';
import { BROWSERS_FOR_PAGES, tellStory } from './harness/world.ts';

// Tests the extension's pages, from the installation to the deletion of all data.

const WELCOME = '/src/pages/welcome/';

/** Example that the page for new users offers as the first link. */
const FIRST = 'https://en.wikipedia.org/wiki/URL_shortening';

/** Counts the clicks and pastes of the user on a page. */
const COUNT_ACTIONS = `
  globalThis.actions = { click: 0, paste: 0 };
  for (const type of Object.keys(actions)) {
    addEventListener(type, ({ isTrusted }) => { if (isTrusted) actions[type] += 1; }, true);
  }`;

/** Part of the advice about pinning the toolbar button. */
const PINNING = { Chromium: 'then the pin next to Terse', Firefox: 'then the gear next to Terse' };

describe.each(BROWSERS_FOR_PAGES)('$name', (kind) => {
  const story = tellStory(kind, { begin: 'new' });

  /** Calls the service's API without the extension, as another browser would. */
  const api = (method: string, path: string, body?: object) => callApi(story.backend, method, path, body);

  async function budgetSpent(): Promise<number> {
    const { quota } = KeyDocument.parse((await api('GET', 'key')).json);
    return quota.limit - quota.remaining;
  }

  test('the popup leads a new user to a link on the clipboard with three clicks and one paste', async () => {
    const { backend, browser, page } = story;
    await (await browser.tabAt(WELCOME)).close();
    const existing = await api('POST', 'urls', { url: page('/known'), shortCode: 'known' });
    expect(existing.status).toBe(201);
    const tab = await browser.openTab(page('/'));
    const popup = await browser.openPopup(tab);
    await clickAndLeave(popup.getByRole('button', { name: 'Connect a server' }));
    const welcome = await browser.tabAt(WELCOME);
    await welcome.getByLabel('Server address').fill('http://links.example.com');
    await welcome.getByRole('button', { name: 'Connect', exact: true }).click();
    await welcome.getByText('With http, your key would be sent unencrypted.').waitFor();

    // From here on, everything that the user does on the page is counted.
    await welcome.reload();
    await browser.copyElsewhere(backend.connectionLink);
    await welcome.bringToFront();
    await expect.poll(() => welcome.evaluate('document.hasFocus() && document.activeElement.id')).toBe('address');
    await welcome.evaluate(COUNT_ACTIONS);
    await welcome.keyboard.press('Control+v');
    await expect.poll(() => welcome.getByLabel('Server address').inputValue()).toBe(backend.baseUrl);
    await welcome.getByRole('button', { name: 'Connect', exact: true }).click();
    await welcome.getByRole('heading', { name: "You're connected" }).waitFor();
    expect(await welcome.evaluate('document.documentElement.outerHTML')).not.toContain(backend.apiKey);
    await welcome.getByText(PINNING[browser.name]).waitFor();
    await expect.poll(() => welcome.evaluate('document.activeElement.id')).toBe('first-link');
    await welcome.getByRole('button', { name: 'Shorten', exact: true }).click();
    await welcome.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await targetOf(await browser.clipboard())).toBe(FIRST);
    // The third click would be in the browser's permission dialog, which only the tests in `native/` can click.
    expect(await welcome.evaluate('globalThis.actions')).toEqual({ click: 2, paste: 1 });
    await welcome.getByText("You're all set. On any page, click Terse in the toolbar").waitFor();
    await welcome.close();

    // A restarted background worker does not open the welcome page again.
    await browser.killBackground();
    const options = await browser.openExtensionPage('options');
    expect(await options.evaluate("chrome.runtime.sendMessage({ type: 'online' })")).toMatchObject({ ok: true });
    const isWelcome = `({ location }) => location.pathname.startsWith('${WELCOME}')`;
    expect(await options.evaluate(`chrome.extension.getViews({ type: 'tab' }).some(${isWelcome})`)).toBe(false);
    await options.close();
    await tab.close();
  });

  test('a page that has a link from before the connection shows this link, although no page has listed it', async () => {
    const { browser, page } = story;
    const tab = await browser.openTab(page('/known'));
    const popup = await browser.openPopup(tab);
    expect(await resultIn(popup)).toMatch(/\/known$/);
    await popup.close();
    await tab.close();
  });

  test('a pasted list is shown, edited and sent as one batch, and its short URLs are copied in the same order', async () => {
    const { backend, browser } = story;
    await awayFromMidnight();
    const [before, spent] = [backend.links(), await budgetSpent()];
    const known = FIRST;
    const urls = Array.from({ length: 30 }, (_, at) => `https://www.example.com/${at + 1}`);
    const many = await browser.openExtensionPage('bulk');
    const text = ['A list of mine', known, ...urls, urls[0], 'mailto:a@example.com'].join('\n');
    await addToList(many, text);
    await many.getByText("2 lines can't be shortened").waitFor();
    for (const name of ['A list of mine', 'mailto:a@example.com', urls[2]]) {
      await many.getByRole('button', { name: `Remove: ${name}`, exact: true }).click();
    }
    await many.getByRole('button', { name: 'Shorten 30 addresses' }).click();
    await many.getByText('30 of 30 shortened').waitFor();
    const sent = urls.filter((_, at) => at !== 2);
    expect(backend.links().toSorted()).toEqual([...before, ...sent].toSorted());
    expect(await budgetSpent()).toBe(spent + 1);

    await many.reload();
    await many.getByText('30 of 30 shortened').waitFor();
    const { content: csv } = await browser.saved(many, () =>
      many.getByRole('button', { name: 'Export', exact: true }).click(),
    );
    const rows = csv.toString().trim().split(/\r?\n/).slice(1);
    expect(rows.map((row) => row.split(',')[1])).toEqual([known, ...sent]);
    await many.getByRole('button', { name: `Copy ${rows.length}` }).click();
    const shortUrls = rows.map((row) => row.split(',')[0]).join('\n');
    await expect.poll(() => browser.clipboard()).toBe(shortUrls);
    await many.close();
  });

  test('a link from another browser is listed, edited, deleted, and available without a network', async () => {
    const { backend, browser } = story;
    for (const name of ['otter', 'badger', 'marten', 'beaver']) {
      const made = await api('POST', 'urls', { url: `https://www.example.com/${name}`, shortCode: name });
      expect(made.status).toBe(201);
    }
    await fetch(`${backend.shortBaseUrl}/otter`, { redirect: 'manual' });
    const links = await browser.openExtensionPage('links');
    const row = (name: string) => links.locator('.link', { hasText: `/${name}` });
    const press = (name: string, action: string) => chooseInMenu(row(name), action);
    await row('otter').waitFor();

    await press('otter', 'Edit');
    await links.getByLabel('Destination address').fill('http://10.0.0.1/');
    await links.getByRole('button', { name: 'Save' }).click();
    await links.getByText('The server blocks this address.').waitFor();
    await links.getByLabel('Destination address').fill('https://www.example.com/sea-otter');
    await links.getByLabel('Title').fill('Sea otters');
    await links.getByRole('button', { name: 'Save' }).click();
    await links.getByText('Sea otters').waitFor();
    const edited = await api('GET', 'urls/otter');
    expect(edited.json).toMatchObject({ url: 'https://www.example.com/sea-otter', title: 'Sea otters' });

    await press('otter', 'Clicks');
    await links.locator('dialog .chart').waitFor();
    await links.getByRole('button', { name: 'Close' }).click();

    await press('badger', 'Delete');
    await links.getByRole('button', { name: /^Undo/ }).click();
    await row('badger').waitFor();
    expect((await api('GET', 'urls/badger')).status).toBe(200);
    for (const name of ['badger', 'marten']) await row(name).getByRole('checkbox').check();
    await links.locator('.toolbar').getByRole('button', { name: 'Delete' }).click();
    // If the user closes the page before the time for undo is over, the extension still deletes both links.
    await links.close();
    for (const name of ['badger', 'marten']) {
      await expect.poll(async () => (await api('GET', `urls/${name}`)).status).toBe(410);
    }

    await api('DELETE', 'urls/beaver');
    await api('PATCH', 'urls/otter', { title: 'Renamed elsewhere' });
    const again = await browser.openExtensionPage('links');
    await again.getByText('Renamed elsewhere').waitFor();
    await expect.poll(() => again.locator('.link', { hasText: '/beaver' }).count()).toBe(0);
    expect(await again.locator('.link', { hasText: /\/(badger|marten)/ }).count()).toBe(0);
    await again.close();

    await backend.kill();
    const offline = await browser.openExtensionPage('links');
    await offline.getByText('Renamed elsewhere').waitFor();
    await offline.getByText(/cannot be reached.*Last updated/).waitFor();
    await offline.close();
    await backend.start();
  });

  test('all data except the key is exported, deleted, and imported again', async () => {
    const { backend, browser } = story;
    const made = FIRST;
    const options = await browser.openExtensionPage('options');
    const pressExport = (page: BrowserPage) => page.getByRole('button', { name: 'Export', exact: true }).click();
    const { content: json } = await browser.saved(options, () => pressExport(options));
    expect(json.toString()).not.toContain(backend.apiKey);
    const list = await browser.openExtensionPage('links');
    await list.getByText(made.replace('https://', '')).first().waitFor();
    const { content: csv } = await browser.saved(list, () => pressExport(list));
    await list.close();
    expect(csv.toString()).toContain(`,${made},`);

    await backend.kill();
    const popup = await browser.openExtensionPage('popup');
    await shortenOther(popup, 'https://www.example.com/waits');
    await popup.getByText('Not active yet').waitFor();
    await popup.close();
    await options.getByRole('button', { name: 'Delete…', exact: true }).click();
    await options.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
    await options.getByText('Everything was deleted.').waitFor();
    expect(Object.values(await storedData(options)).flat()).toEqual([]);
    const kept = () => browser.inBackground('chrome.storage.session.get().then((all) => JSON.stringify(all))');
    expect(await kept()).not.toContain('example');
    await expect.poll(() => options.evaluate('chrome.action.getBadgeText({})')).toBe('');
    await expect.poll(() => options.evaluate('chrome.alarms.getAll().then((all) => all.length)')).toBe(0);
    await backend.start();
    const links = backend.links();

    const choose = (name: string, buffer: Buffer) =>
      options.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await choose('terse.json', json);
    await options.getByText(/^Imported\. Links: \d+ · Connections: 1/).waitFor();
    await options.getByRole('button', { name: 'Action needed' }).waitFor();
    await options.getByLabel('API key').fill(backend.apiKey);
    await options.getByRole('button', { name: 'Save', exact: true }).click();
    await options.getByText('Connected. You can shorten links now.').first().waitFor();

    // After the links page has read the service's list, the extension recognizes the imported link without sending a
    // request.
    const reading = await browser.openExtensionPage('links');
    const isConfirmed = ({ url, connectionId }: Link) => url === made && typeof connectionId === 'string';
    const hasConfirmed = async () => ((await storedData(options)).links as Link[]).some(isConfirmed);
    await expect.poll(hasConfirmed).toBe(true);
    await reading.close();
    const shortened = await browser.openExtensionPage('popup');
    await shortenOther(shortened, made);
    await resultIn(shortened);
    await shortened.close();
    expect(backend.links()).toEqual(links);
    await choose('terse.json', json);
    await options.getByText('Imported. Links: 0 · Connections: 0 · Skipped: 0').waitFor();
    await choose('terse-links.csv', csv);
    await options.getByText('To shorten the addresses in it, open the file under “Bulk shorten”.').waitFor();
    await choose('broken.json', Buffer.from('{"format":'));
    await options.getByText('The JSON in this file is damaged or incomplete.').waitFor();
    await options.close();
  });
});
