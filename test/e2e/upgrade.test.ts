import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { reloadExtension } from '../../scripts/browsers/reload.ts';
import { DATABASE_VERSION } from '../../src/storage/database.ts';
import type { Backend } from './harness/backend.ts';
import { SHIPPED, withLoopbackGranted } from './harness/extension-copy.ts';
import { HOME, launchFirefox } from './harness/firefox/firefox.ts';
import { type ExtensionPage, openExtensionPage, openPopup, openTab } from './harness/pages.ts';
import { connect, resultIn, shortenPage } from './harness/person.ts';
import { type Gate, openGate } from './harness/proxies.ts';
import { asUpdate, replaceBuild, UPDATE_VERSION, unpackRelease } from './harness/release.ts';
import type { ReleasedPage } from './harness/release-0.1.0.ts';
import { RELEASES, type Release } from './harness/releases.ts';
import { tempFolder } from './harness/temp.ts';
import { until } from './harness/until.ts';
import { givenBackend, givenChromium, givenSite, HOST } from './harness/world.ts';

// Tests that all data of a released version survives the update to this build, and the move of its folder.

/** Time limit for waiting requests, which the extension retries within a minute. */
const PATIENT = { timeout: 90_000 };

const example = (path: string) => `www.example.com/${path}`;
const LINKS = [example('one'), example('two')];
const UNANSWERED = example('unanswered');
const WAITING = [example('three'), example('four')];

interface Services {
  backend: Backend;
  gate: Gate;
  reopen(): Promise<void>;
}

async function givenServices(): Promise<Services> {
  const backend = await givenBackend();
  const gate = await openGate(backend.baseUrl);
  onTestFinished(() => gate.close());
  async function reopen() {
    const again = await openGate(backend.baseUrl, Number(new URL(gate.baseUrl).port));
    onTestFinished(() => again.close());
  }
  return { backend, gate, reopen };
}

/** Uses a released version: creates two links, loses the service during a request, and leaves two requests waiting. */
async function useRelease(terse: Release, { backend, gate }: Services): Promise<void> {
  await terse.connect({ baseUrl: gate.baseUrl, apiKey: backend.apiKey });
  for (const address of LINKS) await terse.shorten(`https://${address}`);
  await terse.untilLinks(LINKS.length);

  gate.manner = 'hold';
  const answered = gate.answered.length;
  await terse.shorten(`https://${UNANSWERED}`);
  await until('the response to be delayed', () => gate.answered.length > answered);
  await gate.close();
  await terse.untilUnanswered(1);
  for (const address of WAITING) await terse.shorten(`https://${address}`);
}

/** Checks the new build's pages as a user would, first without the service and then with the service. */
async function expectEverythingThere(
  open: (page: ExtensionPage) => Promise<ReleasedPage>,
  { backend, gate, reopen }: Services,
): Promise<void> {
  const links = await open('links');
  expect(await links.evaluate('chrome.runtime.getManifest().version')).toBe(UPDATE_VERSION);
  const options = await open('options');
  const popup = await open('popup');
  for (const address of LINKS) await expect.poll(() => seenOn(links), PATIENT).toContain(address);
  await expect.poll(() => seenOn(options), PATIENT).toContain(new URL(gate.baseUrl).host);
  for (const address of [UNANSWERED, ...WAITING]) await expect.poll(() => seenOn(popup), PATIENT).toContain(address);
  const databases = 'indexedDB.databases().then((all) => all.map(({ version }) => version))';
  expect(await links.evaluate(databases)).toEqual([DATABASE_VERSION]);

  await reopen();
  const all = [...LINKS, UNANSWERED, ...WAITING];
  const urls = all.map((address) => `https://${address}`);
  await expect.poll(() => backend.links().toSorted(), PATIENT).toEqual(urls.toSorted());
  for (const address of all) await expect.poll(() => seenOn(links), PATIENT).toContain(address);
}

async function seenOn(page: ReleasedPage): Promise<unknown> {
  return page.evaluate(
    "[document.body.innerText, ...[...document.querySelectorAll('input')].map(({ value }) => value)].join('\\n')",
  );
}

describe.each(Object.entries(RELEASES))(
  'the profile of version %s opens with all its data',
  (version, { optionsPage, drive, showsNews }) => {
    test('in Chromium', async () => {
      const services = await givenServices();
      const extension = unpackRelease(version, 'chrome');
      const before = await givenChromium({ extension });
      await useRelease(
        drive(await openTab(before, `chrome-extension://${before.extensionId}/${optionsPage}`)),
        services,
      );
      await before.close();

      replaceBuild(extension, asUpdate(SHIPPED.chrome));
      const after = await givenChromium({ extension, profile: before.profile });
      // A store's update ends the old background worker. A replaced folder has no effect before the extension is
      // reloaded.
      await reloadExtension(after);
      expect(after.extensionId).toBe(before.extensionId);
      await expectEverythingThere((page) => openExtensionPage(after, page), services);
    });

    test('in Firefox', async () => {
      const services = await givenServices();
      const profile = tempFolder('firefox');
      const before = await launchFirefox({ extension: unpackRelease(version, 'firefox'), profile });
      onTestFinished(() => before.close());
      await useRelease(drive(await before.openTab(`${HOME}${optionsPage}`)), services);
      await before.close();

      const after = await launchFirefox({ extension: asUpdate(SHIPPED.firefox), profile });
      onTestFinished(() => after.close());
      await expectEverythingThere((page) => after.openExtensionPage(page), services);
      // Only Firefox reports the previous version to the extension in this test, as both browsers do at a store's
      // update.
      const links = await after.openExtensionPage('links');
      await expect.poll(() => seenOn(links), PATIENT).toContain(LINKS[0]);
      expect(String(await seenOn(links)).includes('New in this version')).toBe(showsNews);
    });
  },
);

test('Chromium: an unpacked extension in a moved folder keeps its id and data', async () => {
  const [backend, site] = await Promise.all([givenBackend(), givenSite()]);
  const page = `http://${HOST}:${site.port}/`;
  const first = join(tempFolder('unpacked'), 'first');
  renameSync(withLoopbackGranted(SHIPPED.chrome), first);
  const before = await givenChromium({ extension: first });
  expect(before.extensionId).toBe('ghpkilajoelmdhoeikapoemmeomdbgna');
  await connect(before, backend.connectionLink);
  const shortUrl = await resultIn(await shortenPage(before, page));
  await before.close();

  const second = join(tempFolder('unpacked'), 'second');
  renameSync(first, second);
  const after = await givenChromium({ extension: second, profile: before.profile });
  expect(after.extensionId).toBe(before.extensionId);
  // The extension remembers the URL, the API key and the link, so the same page gets its existing short URL
  // immediately.
  expect(await resultIn(await openPopup(after, await openTab(after, page)))).toBe(shortUrl);
  expect(backend.links()).toEqual([page]);
});
