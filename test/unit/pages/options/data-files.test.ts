// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { removeOptionalPermissions } from '../../../../src/browser/host-permissions.ts';
import { FORMAT, VERSION } from '../../../../src/import-export/export-file.ts';
import { DATA_FILES } from '../../../../src/pages/options/data-files.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../../../src/storage/settings.ts';
import { specOnly } from '../../queue/support/queue-builders.ts';
import { connect } from '../../storage/stored.ts';
import { freshDisk, openStore } from '../../support/disk.ts';
import { browser } from '../../support/fake-browser.ts';

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));
vi.mock('../../../../src/browser/host-permissions.ts', () => ({ removeOptionalPermissions: vi.fn(async () => {}) }));

const fileWith = (settings: unknown) =>
  new File([JSON.stringify({ format: FORMAT, version: VERSION, settings, connections: [], links: [] })], 'x.json');
const accepts = { ok: true, value: { connections: 0, links: 0 } };
const refuses = { ok: false, code: 'storage_full' };

beforeEach(freshDisk);

test.each([true, false])('an import turns notifications on only if the browser allows them (%s)', async (allowed) => {
  browser.runtime.sendMessage.mockResolvedValue(accepts);
  browser.permissions.contains.mockResolvedValue(allowed);
  await DATA_FILES.importFile(fileWith({ expiry: 'day', notifications: true }));
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, expiry: 'day', notifications: allowed });
});

test('an import changes no settings of an installation that has a connection', async () => {
  await connect((await openStore()).store, specOnly);
  browser.runtime.sendMessage.mockResolvedValue(accepts);
  await DATA_FILES.importFile(fileWith({ saveTitles: true, shortenOnOpen: true, expiry: 'day' }));
  expect(await readSettings()).toEqual(DEFAULT_SETTINGS);
});

test('an import that fails says so, and changes no settings', async () => {
  browser.runtime.sendMessage.mockResolvedValue(refuses);
  const damaged = await DATA_FILES.importFile(new File(['{'], 'x.json'));
  expect(damaged).toEqual({ isDone: false, text: '[importProblem_broken_json]' });
  const refused = await DATA_FILES.importFile(fileWith({ expiry: 'day' }));
  expect(refused).toEqual({ isDone: false, text: '[refusal_storage_full]' });
  expect(await readSettings()).toEqual(DEFAULT_SETTINGS);
});

test('a deletion of all data also gives back the permissions, but not if it fails', async () => {
  browser.runtime.sendMessage.mockResolvedValue(refuses);
  await DATA_FILES.deleteEverything();
  expect(removeOptionalPermissions).not.toHaveBeenCalled();
  browser.runtime.sendMessage.mockResolvedValue(accepts);
  await DATA_FILES.deleteEverything();
  expect(removeOptionalPermissions).toHaveBeenCalledOnce();
});
