import { readdirSync, readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { releasedVersions } from '../../../scripts/release/read-changelog.ts';
import { RELEASES } from '../../e2e/harness/releases.ts';
import browser from '../support/fake-browser.ts';
import { RECORDED_010, recordedDisk, restoreDisk } from '../support/released-disk.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

test.each(RECORDED_010)('the disk of version 0.1.0, "%s", is restored completely', async (state) => {
  const recorded = recordedDisk(state);
  await restoreDisk(recorded);

  const database = await openDB('terse');
  expect(database.version).toBe(1);
  for (const { name, indexes, records } of recorded.database.stores) {
    const store = database.transaction(name).store;
    expect([...store.indexNames]).toEqual(indexes.map((index) => index.name));
    expect(await store.getAllKeys()).toEqual(records.map(({ key }) => key));
    expect(await store.getAll()).toEqual(records.map(({ value }) => value));
  }
  const { settings } = await browser.storage.local.get('settings');
  expect(settings).toEqual(recorded.local.settings);
});

test('the recorded states contain all data that an update must keep', () => {
  const values = (state: (typeof RECORDED_010)[number], store: string) =>
    recordedDisk(state)
      .database.stores.find(({ name }) => name === store)
      ?.records.map(({ value }) => value);
  const states = (state: (typeof RECORDED_010)[number]) =>
    values(state, 'requests')
      ?.map((request) => (request as { state: string }).state)
      .sort();

  expect(states('full')).toEqual(['failed', 'unknown', 'waiting', 'waiting', 'waiting']);
  expect(states('killed')).toEqual(['sending', 'sending', 'sending', 'waiting']);
  expect(states('disconnected')).toEqual(['waiting', 'waiting', 'waiting']);
  expect(states('spec-only')).toEqual(['failed', 'failed', 'unknown', 'waiting', 'waiting']);
  expect(values('full', 'state')).toContainEqual(
    expect.objectContaining({ attempt: expect.objectContaining({ inFlight: false }) }),
  );
  expect(values('killed', 'state')).toContainEqual(
    expect.objectContaining({ attempt: expect.objectContaining({ inFlight: true }) }),
  );
  expect(values('spec-only', 'state')).toContainEqual(expect.objectContaining({ halt: 'unauthorized' }));
  expect(values('disconnected', 'secrets')).toEqual([]);
});

test('updates are tested from every released version in the changelog', () => {
  const root = new URL('../../../', import.meta.url);
  const released = releasedVersions(readFileSync(new URL('CHANGELOG.md', root), 'utf8'));
  expect(Object.keys(RELEASES).toSorted()).toEqual(released.toSorted());
  for (const version of released) {
    const folder = new URL(`test/fixtures/releases/${version}/`, root);
    for (const browser of ['chrome', 'firefox']) {
      const { 'manifest.json': manifest = new Uint8Array() } = unzipSync(
        readFileSync(new URL(`${browser}.zip`, folder)),
      );
      expect(JSON.parse(strFromU8(manifest)).version).toBe(version);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.json')).length).toBeGreaterThan(0);
  }
});
