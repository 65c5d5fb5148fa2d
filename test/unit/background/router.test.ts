import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Connections } from '../../../src/background/connections.ts';
import { createRouter } from '../../../src/background/router.ts';
import type { Message } from '../../../src/messages/messages.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { connected, type Life } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

const HOME = 'chrome-extension://abcdefgh';
const POPUP = { id: 'abcdefgh', origin: HOME, url: `${HOME}/src/popup/index.html` };
const OK = { ok: true, value: null };
const shorten: Message = {
  type: 'shorten',
  id: 'request-a',
  url: 'https://x.example/',
  title: 'X',
  private: false,
};

let life: Life;
let router: ReturnType<typeof createRouter>;
const resumed = vi.fn(async () => {});

beforeEach(async () => {
  freshDisk();
  life = await connected();
  const { store, wishes } = life;
  const doors = { store, fetch, permitted: async () => false, ready: async () => {}, moved: () => {} };
  router = createRouter({ wishes, connections: new Connections(doors), store, resume: resumed });
});

describe('who may ask', () => {
  test.each([
    ['a page', POPUP],
    [
      'a page in a tab',
      { ...POPUP, tab: { id: 7, index: 0, highlighted: true, active: true, pinned: false, incognito: false } },
    ],
    ['a page whose origin the browser leaves out', { id: POPUP.id, url: POPUP.url }],
  ])('%s of the extension is answered', async (_name, sender) => {
    expect(await router(shorten, sender)).toEqual(OK);
  });

  test.each([
    ['another extension', { ...POPUP, id: 'ijklmnop' }],
    ['another extension in our id’s name', { id: POPUP.id, origin: 'chrome-extension://ijklmnop', url: POPUP.url }],
    ['a web page', { origin: 'https://x.example', url: 'https://x.example/' }],
    ['a script in a web page', { id: POPUP.id, origin: 'https://x.example', url: 'https://x.example/' }],
    ['a script in a web page without an origin', { id: POPUP.id, url: 'https://x.example/' }],
    ['an address that only begins like ours', { id: POPUP.id, url: `${HOME}.x.example/` }],
    ['a sandboxed frame', { id: POPUP.id, origin: 'null', url: POPUP.url }],
    ['nobody in particular', {}],
    ['our id and nothing else', { id: POPUP.id }],
  ])('%s is not', async (_name, sender) => {
    expect(router(shorten, sender)).toBeUndefined();
    expect(await life.requests()).toEqual([]);
  });
});

test.each([
  null,
  'shorten',
  {},
  { type: 'unheard-of' },
  { ...shorten, url: 7 },
  { ...shorten, id: 'short' },
  { ...shorten, id: 'x'.repeat(65) },
  { type: 'shorten' },
  { type: 'view', private: false },
  { type: 'connect', baseUrl: 'https://x.example' },
])('%j is no message of ours, and gets no answer', (raw) => {
  expect(router(raw, POPUP)).toBeUndefined();
});

describe('every message is answered', () => {
  const ask = (message: Message) => router(message, POPUP);

  test.each<[Message, unknown]>([
    [shorten, OK],
    [{ type: 'cancel', id: 'request-x' }, OK],
    [{ type: 'retry', id: 'request-x' }, OK],
    [
      { type: 'test-connection', baseUrl: '', apiKey: 'k' },
      { ok: false, code: 'invalid_address' },
    ],
    [
      { type: 'connect', baseUrl: 'https://x.example', apiKey: 'k' },
      { ok: false, code: 'no_permission' },
    ],
    [{ type: 'forget-connection' }, OK],
    [{ type: 'remove-link', id: 'request-x' }, OK],
    [{ type: 'clear-links' }, OK],
    [{ type: 'resume' }, OK],
  ])('%j', async (message, reply) => {
    expect(await ask(message)).toEqual(reply);
  });

  test('resume resumes, and a view is what pages read', async () => {
    await ask({ type: 'resume' });
    expect(resumed).toHaveBeenCalledTimes(1);
    await ask(shorten);
    expect(await ask({ type: 'view', private: false, wanted: {} })).toMatchObject({
      ok: true,
      value: { requests: [{ id: 'request-a' }], links: [] },
    });
  });

  test('links are removed', async () => {
    await ask(shorten);
    await life.pump.run();
    expect(await life.links()).toEqual(['request-a']);
    await ask({ type: 'remove-link', id: 'request-a' });
    expect(await life.links()).toEqual([]);
  });
});

describe('what fails unforeseen', () => {
  const failing = (error: unknown) => vi.spyOn(life.wishes, 'shorten').mockImplementation(() => Promise.reject(error));

  test.each([
    [new Error('oops'), 'internal'],
    [new DOMException('full', 'QuotaExceededError'), 'storage_full'],
    [new DOMException('gone', 'InvalidStateError'), 'internal'],
    ['no error at all', 'internal'],
  ])('(%s) is answered with %s', async (error, code) => {
    failing(error);
    expect(await router(shorten, POPUP)).toEqual({ ok: false, code });
  });
});

test('a private link removed while a private request is accepted costs neither', async () => {
  const isPrivate = { private: true };
  await router({ ...shorten, ...isPrivate }, POPUP);
  await life.pump.run();
  life.pass(5_000);
  // The removal's own write takes its time: whatever is accepted meanwhile must not be undone by it.
  const { session } = browser.storage;
  const set = session.set.bind(session);
  vi.spyOn(session, 'set').mockImplementationOnce(async (records) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return set(records);
  });
  await Promise.all([
    router({ type: 'remove-link', id: 'request-a' }, POPUP),
    router({ ...shorten, ...isPrivate, id: 'request-b' }, POPUP),
  ]);
  expect((await life.requests()).map(({ id }) => id)).toEqual(['request-b']);
  expect(browser.storage.session.dump()).not.toContain('request-a');
});
