import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBackground } from '../../../src/background/create-background.ts';
import { closeNetworkConnections } from '../../../src/background/probe-connection.ts';
import type { BlockReason } from '../../../src/queue/types.ts';
import { DATABASE_NAME, DATABASE_VERSION } from '../../../src/storage/database.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { diskNow } from '../integration/simulation/disk-now.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { takePopupTarget } from '../support/handed-over.ts';
import { GRANTED_LOCKS } from '../support/locks.ts';
import { connected, FULL, SPEC_ONLY, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const fetch = vi.fn(async (_url: string) => new Response('', { status: 404 }));

beforeEach(() => {
  freshDisk();
  fetch.mockClear();
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('navigator', { onLine: true, locks: GRANTED_LOCKS });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const CLICK = { menuItemId: 'shorten-link', linkUrl: 'https://x.example/', editable: false, modifiers: [] };
const badges = () => browser.action.setBadgeText.mock.calls.map(([{ text }]) => text);
const ways = [
  ['a right-click', () => createBackground().onMenu(CLICK)],
  ['the shortcut', () => createBackground().onCommand('shorten-page')],
] as const;

describe('if the data cannot be read', () => {
  beforeEach(async () => (await openDB(DATABASE_NAME, DATABASE_VERSION + 1)).close());

  test.each(ways)('%s is refused with a visible message', async (_name, press) => {
    await press();
    expect(badges()).toContain('!');
    expect(await takePopupTarget()).toMatchObject({ refusal: 'internal' });
  });

  test.each(ways)('%s is refused with a notification if the user chose notifications', async (_name, press) => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
    await press();
    expect(badges()).toContain('!');
    expect(browser.notifications.create.mock.calls).toMatchObject([
      [expect.any(String), { message: '[refusal_internal]' }],
    ]);
  });

  test('the rules stay that keep the browser from sending a request twice', async () => {
    await closeNetworkConnections('https://a.example');
    const rules = await browser.declarativeNetRequest.getDynamicRules();
    await createBackground().onPermissionRemoved();
    expect(rules).toHaveLength(1);
    expect(await browser.declarativeNetRequest.getDynamicRules()).toEqual(rules);
  });
});

describe('a granted permission', () => {
  let worker: TestWorker;
  const permitted = new Set<string>();
  const halted = async (blocked: BlockReason) => {
    worker = await connected();
    await worker.connect({ ...FULL, id: 'other', baseUrl: 'https://b.example', preferredAt: 0 });
    for (const id of ['c', 'other']) {
      await worker.store.update(id, (queue) => ({
        queue: { ...queue, state: { ...queue.state, blocked } },
        result: null,
      }));
    }
  };
  const halts = async () => diskNow().queues.map(({ state }) => state.blocked);
  /** Grants access to these origins, then waits until the background worker has checked both queues. */
  const grant = async (...origins: string[]) => {
    for (const origin of origins) permitted.add(origin);
    createBackground().onPermission();
    await vi.waitFor(() => expect(browser.alarms.clear.mock.calls.length).toBeGreaterThanOrEqual(1));
  };

  beforeEach(() => {
    permitted.clear();
    browser.permissions.contains.mockImplementation(async ({ origins }) =>
      origins.every((origin) => permitted.has(origin)),
    );
  });

  test('unblocks the queue of its own host only', async () => {
    await halted('permission');
    await grant('https://a.example/*');
    await vi.waitFor(async () => expect(await halts()).toEqual([null, 'permission']));
  });

  test.each<BlockReason>(['unauthorized', 'redirected', 'not_a_service'])(
    'does not unblock a queue with another problem (%s)',
    async (blocked) => {
      await halted(blocked);
      await grant('https://a.example/*', 'https://b.example/*');
      expect(await halts()).toEqual([blocked, blocked]);
      expect(fetch).not.toHaveBeenCalled();
    },
  );
});

test('reports about completed requests are sent even if the badge cannot be set', async () => {
  await connected('full');
  await writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
  browser.action.setBadgeText.mockRejectedValue(new Error('no'));
  const made = { message: 'ok', shortUrl: 'https://s.example/x' };
  const document = { ...FULL.service, version: '1' };
  fetch.mockImplementation(async (url) => Response.json(url.endsWith('/api') ? document : made));
  await createBackground().onCommand('shorten-page', { url: 'https://x.example/', incognito: false } as never);
  await vi.waitFor(() => expect(browser.notifications.create).toHaveBeenCalledTimes(1));
});

test('a new worker keeps only the rules that its servers need', async () => {
  const worker = new TestWorker();
  await worker.connect(SPEC_ONLY);
  await worker.connect({ ...FULL, id: 'other', baseUrl: 'https://b.example' });
  for (const host of ['b', 'removed']) await closeNetworkConnections(`https://${host}.example`);
  createBackground();
  const filters = async () =>
    (await browser.declarativeNetRequest.getDynamicRules()).map(({ condition }) => condition.urlFilter);
  await vi.waitFor(async () => expect(await filters()).toEqual(['|https://a.example/']));
});

test('nothing is sent before the browser applies the rule that keeps it from sending a request twice', async () => {
  const now = Date.now();
  await new TestWorker().connect({ ...SPEC_ONLY, serviceReadAt: now, lastSeenWellAt: now });
  await closeNetworkConnections('https://a.example');
  const applied = Promise.withResolvers<void>();
  browser.declarativeNetRequest.updateDynamicRules.mockReturnValueOnce(applied.promise);
  const background = createBackground();
  await background.onCommand('shorten-page', { url: 'https://x.example/', incognito: false } as never);
  await vi.waitFor(() => expect(diskNow().requests).toHaveLength(1));
  // Without the rule, the request would be sent after a few turns of the event loop.
  for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(fetch).not.toHaveBeenCalled();
  applied.resolve();
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
});
