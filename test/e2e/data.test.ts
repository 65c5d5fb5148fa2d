import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dumpDisk } from './harness/disk-dump.ts';
import { goOffline } from './harness/offline.ts';
import { openExtensionPage } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { worker } from './harness/worker.ts';
import { givenChromium, givenConnection } from './harness/world.ts';

/** Presses a button that saves a file, and returns the file. */
async function saved(options: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    options.waitForEvent('download'),
    options.getByRole('button', { name, exact: true }).click(),
  ]);
  return readFile(await download.path());
}

async function choose(options: Page, name: string, buffer: Buffer): Promise<void> {
  await options.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
}

test('everything but the key goes from one browser into another, and works there once it has its key', async () => {
  const { backend, browser, options } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  await shortenOther(popup, 'https://www.example.com/made');
  await resultIn(popup);
  const json = await saved(options, 'Export everything');
  const csv = await saved(options, 'Export links as CSV');
  expect(json.toString()).not.toContain(backend.apiKey);
  expect(csv.toString()).toContain(',https://www.example.com/made,');
  await browser.kill();

  const other = await givenChromium();
  const there = await openExtensionPage(other, 'options');
  await choose(there, 'terse.json', json);
  await there.getByRole('dialog').getByText('New links').waitFor();
  await there.getByRole('button', { name: 'Import', exact: true }).click();
  await there.getByText('Imported. Links: 1 · Connections: 1').waitFor();
  await there.getByText('Key missing', { exact: true }).waitFor();
  await there.getByRole('button', { name: /^Edit/ }).or(there.getByLabel('API key')).first().click();
  await there.getByLabel('API key').fill(backend.apiKey);
  await there.getByRole('button', { name: 'Connect', exact: true }).click();
  await there.getByText('Connected. You can shorten from now on.').waitFor();

  // The link that came along is known: nothing is sent for it.
  const shortened = await openExtensionPage(other, 'popup');
  await shortenOther(shortened, 'https://www.example.com/made');
  await resultIn(shortened);
  expect(backend.links()).toEqual(['https://www.example.com/made']);

  // The CSV holds nothing new, and another service's does.
  await there.bringToFront();
  await choose(there, 'terse-links.csv', csv);
  await there.getByText('There is nothing new in this file.').waitFor();
  await there.getByRole('button', { name: 'Cancel', exact: true }).last().click();
  const dub = readFileSync('backend/test/fixtures/imports/dub-export-default-columns.csv');
  await choose(there, 'dub.csv', dub);
  await there.getByText('Long URL is the column “Destination URL”').waitFor();
  await there.getByRole('button', { name: 'Import', exact: true }).click();
  await there.getByText('Imported. Links: 6').waitFor();
  await choose(there, 'broken.json', Buffer.from('{"format":'));
  await there.getByText('The JSON in this file is broken or incomplete.').waitFor();
});

test('deleting everything leaves nothing, not even what waits', async () => {
  const { browser, options } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  await shortenOther(popup, 'https://www.example.com/made');
  await resultIn(popup);
  await goOffline(browser);
  await popup.getByRole('button', { name: 'Back to this page' }).click();
  await shortenOther(popup, 'https://www.example.com/waits');
  await popup.getByRole('button', { name: 'Copy now', exact: true }).waitFor();
  await popup.close();

  await options.bringToFront();
  await options.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await options.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
  await options.getByText('Everything is deleted.').waitFor();
  const { database, local } = await dumpDisk(options);
  expect(database.stores.flatMap(({ records }) => records)).toEqual([]);
  expect(local).toEqual({});
  const badge = () => options.evaluate('chrome.action.getBadgeText({})');
  await expect.poll(badge).toBe('');
  await expect.poll(() => options.evaluate('chrome.alarms.getAll().then((all) => all.length)')).toBe(0);
  expect(await options.evaluate('chrome.storage.session.get().then((all) => JSON.stringify(all))')).not.toContain(
    'example',
  );
  expect(await worker(browser)).toBeDefined();
  await options.getByLabel('Service address').waitFor();
});
