import { beforeEach, expect, test, vi } from 'vitest';
import { keepHostPermissions, removeOptionalPermissions } from '../../../src/browser/host-permissions.ts';

const browser = vi.hoisted(() => ({
  notifications: {
    getAll: async () => ({ 'link-1': {} }),
    clear: vi.fn(async (_id: string) => true),
  },
  permissions: {
    getAll: async () => ({
      origins: ['https://a.example/*', 'https://managed.example/*'],
      permissions: ['storage', 'alarms', 'notifications', 'scripting', 'tabs'],
    }),
    remove: vi.fn(async (asked: { origins?: string[] }) => {
      if (asked.origins?.[0]?.includes('managed')) throw new Error('An administrator requires this permission.');
      return true;
    }),
  },
  runtime: { getManifest: () => ({ optional_permissions: ['notifications', 'tabs'] }) },
}));
vi.mock('../../../src/browser/browser.ts', () => ({ default: browser }));

beforeEach(() => void browser.permissions.remove.mockClear());

test('all requested permissions are removed despite errors, and notifications are cleared', async () => {
  await removeOptionalPermissions();
  expect(browser.permissions.remove.mock.calls.map(([asked]) => asked)).toEqual([
    { origins: ['https://a.example/*'] },
    { origins: ['https://managed.example/*'] },
    { permissions: ['notifications'] },
    { permissions: ['tabs'] },
  ]);
  expect(browser.notifications.clear.mock.calls).toEqual([['link-1']]);
});

test('only the permissions for single hosts that no connection needs are removed', async () => {
  const origins = ['https://a.example/*', 'http://localhost/*', 'https://*/*', '<all_urls>'];
  vi.spyOn(browser.permissions, 'getAll').mockResolvedValueOnce({ origins, permissions: [] });
  await keepHostPermissions(['https://a.example:8443/links']);
  expect(browser.permissions.remove.mock.calls).toEqual([[{ origins: ['http://localhost/*'] }]]);
});
