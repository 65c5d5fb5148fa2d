import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { routerOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, lost, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const HOME = 'chrome-extension://abcdefgh';
const POPUP = { id: 'abcdefgh', origin: HOME, url: `${HOME}/src/popup/index.html` };
const OK = { ok: true, value: null };
const shorten: Message = {
  type: 'shorten',
  orders: [{ id: 'request-a', url: 'https://x.example/', title: 'X' }],
  connectionId: null,
  options: NO_OPTIONS,
  anew: false,
};
const ACCEPTED = { ok: true, value: { requestIds: ['request-a'], existing: [], refused: [], userInfoRemoved: false } };

let worker: TestWorker;
let router: ReturnType<typeof routerOver>;
const online = vi.fn(async () => {});

beforeEach(async () => {
  freshDisk();
  online.mockClear();
  worker = await connected();
  router = routerOver(worker, { permitted: async () => false }, online);
});

describe('senders of messages', () => {
  test.each([
    ['a page', POPUP],
    [
      'a page in a tab',
      { ...POPUP, tab: { id: 7, index: 0, highlighted: true, active: true, pinned: false, incognito: false } },
    ],
    ['a page without an origin', { id: POPUP.id, url: POPUP.url }],
  ])('%s of the extension receives an answer', async (_name, sender) => {
    expect(await router(shorten, sender)).toEqual(ACCEPTED);
  });

  test('a page in a private tab, which browsers open only on Android, can store no request', async () => {
    const tab = { id: 7, index: 0, highlighted: true, active: true, pinned: false, incognito: true };
    expect(await router(shorten, { ...POPUP, tab })).toEqual({ ok: false, code: 'private_list' });
    expect(await worker.requests()).toEqual([]);
    expect(await router({ type: 'online' }, { ...POPUP, tab })).toEqual(OK);
  });

  test.each([
    ['another extension', { ...POPUP, id: 'ijklmnop' }],
    ['another extension that claims our id', { id: POPUP.id, origin: 'chrome-extension://ijklmnop', url: POPUP.url }],
    ['a web page', { origin: 'https://x.example', url: 'https://x.example/' }],
    ['a script in a web page', { id: POPUP.id, origin: 'https://x.example', url: 'https://x.example/' }],
    ['a script in a web page without an origin', { id: POPUP.id, url: 'https://x.example/' }],
    ['a URL that only starts like ours', { id: POPUP.id, url: `${HOME}.x.example/` }],
    ['a sandboxed frame', { id: POPUP.id, origin: 'null', url: POPUP.url }],
    ['an unknown sender', {}],
    ['a sender with only our id', { id: POPUP.id }],
  ])('%s receives no answer', async (_name, sender) => {
    expect(router(shorten, sender)).toBeUndefined();
    expect(await worker.requests()).toEqual([]);
  });
});

test.each([null, 'shorten', 7, {}, { type: 'unheard-of' }, { type: 'copy-offscreen', text: 'x' }])(
  '%j is not a known message and receives no answer',
  (raw) => {
    expect(router(raw, POPUP)).toBeUndefined();
  },
);

test('a request that has become uncertain is sent again only if the page has shown this', async () => {
  await router(shorten, POPUP);
  worker.send = async (attempt) => lost(attempt);
  await worker.runOut();
  expect(await worker.requests()).toMatchObject([{ state: 'uncertain' }]);
  await router({ type: 'retry', id: 'request-a', isUncertain: false }, POPUP);
  expect(await worker.requests()).toMatchObject([{ state: 'uncertain' }]);
  await router({ type: 'retry', id: 'request-a', isUncertain: true }, POPUP);
  expect(await worker.requests()).toMatchObject([{ state: 'waiting' }]);
});

describe('every message receives an answer', () => {
  const ask = (message: Message) => router(message, POPUP);

  test.each<[Message, unknown]>([
    [shorten, ACCEPTED],
    [{ type: 'cancel', ids: ['request-x'] }, OK],
    [{ type: 'retry', id: 'request-x', isUncertain: false }, OK],
    [{ type: 'try-now', connectionId: 'c' }, OK],
    [
      { type: 'save-connection', connectionId: null, name: '', baseUrl: 'https://x.example', apiKey: 'k' },
      { ok: false, code: 'no_permission' },
    ],
    [{ type: 'set-default-connection', connectionId: 'c' }, OK],
    [{ type: 'forget-connection', connectionId: 'c' }, OK],
    [
      { type: 'delete-links', localIds: ['request-x'], servers: [] },
      { ok: true, value: [] },
    ],
    [{ type: 'online' }, OK],
  ])('%j', async (message, reply) => {
    expect(await ask(message)).toEqual(reply);
  });

  test("a page's network event is passed on", async () => {
    await ask({ type: 'online' });
    expect(online).toHaveBeenCalledTimes(1);
  });

  test('links are deleted', async () => {
    await ask(shorten);
    await worker.runner.run();
    expect(await worker.links()).toEqual(['request-a']);
    await ask({ type: 'delete-links', localIds: ['request-a'], servers: [] });
    expect(await worker.links()).toEqual([]);
  });
});

describe('an unexpected error', () => {
  const failing = (error: unknown) =>
    vi.spyOn(worker.store, 'updateAll').mockImplementation(() => Promise.reject(error));

  test.each([
    [new Error('oops'), 'internal'],
    [new DOMException('full', 'QuotaExceededError'), 'storage_full'],
    [new DOMException('gone', 'InvalidStateError'), 'internal'],
    ['no error at all', 'internal'],
  ])('(%s) returns %s', async (error, code) => {
    failing(error);
    expect(await router(shorten, POPUP)).toEqual({ ok: false, code });
  });
});
