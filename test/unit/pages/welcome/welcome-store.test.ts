import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSettingsStore } from '../../../../src/components/settings-store.ts';
import type { Message } from '../../../../src/messages/protocol.ts';
import { createWelcomeStore, WELCOME_DEPS, type WelcomeStore } from '../../../../src/pages/welcome/welcome-store.ts';
import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { queuesView } from '../../../gallery/fixtures.ts';
import { testDeps } from '../../../gallery/page-deps.ts';
import { aLink } from '../../storage/stored.ts';
import { freshDisk } from '../../support/disk.ts';
import { browser } from '../../support/fake-browser.ts';
import { connected, created, refusedAs, type TestWorker } from '../../support/worker.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

const START = { offered: null, toolbar: 'chrome', shortcut: '' } as const;

let worker: TestWorker;
let stop: () => void;
let store: WelcomeStore;
/** Types of messages that the background worker does not answer. */
const unanswered = new Set<string>();

async function shorten(text: string): Promise<void> {
  await store.shorten(text);
  await vi.waitFor(async () => {
    await worker.runOut();
    expect(store.isAsking.value).toBe(false);
    expect((await worker.requests()).filter(({ state }) => state !== 'failed')).toEqual([]);
  });
}
const failedNow = async () => (await worker.requests()).map(({ url }) => url);

beforeEach(async () => {
  freshDisk();
  unanswered.clear();
  worker = await connected('full');
  worker.send = async (attempt) => refusedAs(attempt, 'invalid_url');
  browser.runtime.sendMessage.mockImplementation(async (message) => {
    const asked = message as Message;
    if (unanswered.has(asked.type)) return undefined;
    if (asked.type === 'shorten') return worker.commands.shorten({ ...asked, source: 'popup' });
    throw new Error(`No reply is defined for ${asked.type}.`);
  });
  store = createWelcomeStore(WELCOME_DEPS, {
    view: { queues: await worker.store.queues() },
    settings: createSettingsStore(DEFAULT_SETTINGS),
    ...START,
  });
  stop = store.start();
  await shorten('https://example.org/wrnog');
  await vi.waitFor(() => expect(store.firstLink.value).toMatchObject({ listed: { status: { kind: 'failed' } } }));
});

afterEach(() => stop());

test('a corrected address replaces the failed request', async () => {
  expect(await failedNow()).toEqual(['https://example.org/wrnog']);
  await shorten('https://example.org/alike');
  expect(await failedNow()).toEqual(['https://example.org/alike']);
});

test('the failed first link stays visible until the corrected address is accepted', async () => {
  const before = store.firstLink.value;
  browser.runtime.sendMessage.mockReturnValue(new Promise(() => {}));
  void store.shorten('https://example.org/alike');
  expect([store.isAsking.value, store.firstLink.value]).toEqual([true, before]);
});

test('invalid text is refused, and does not replace the failed request', async () => {
  await shorten('no address');
  expect(store.firstLink.value).toEqual({ kind: 'problem', text: expect.any(String) });
  expect(await failedNow()).toEqual(['https://example.org/wrnog']);
});

test('the failed request stays if the background does not reply', async () => {
  unanswered.add('shorten');
  await shorten('https://example.org/alike');
  expect(await failedNow()).toEqual(['https://example.org/wrnog']);
});

test('the first link is shown once it is created', async () => {
  await shorten('https://example.org/right');
  worker.send = async ({ requestIds }) => created(requestIds);
  const { firstLink } = store;
  await vi.waitFor(() => expect(firstLink.value.kind).toBe('pending'));
  await shorten('https://example.org/right');
  await vi.waitFor(() => expect(firstLink.value).toMatchObject({ link: { url: 'https://example.org/right' } }));
});

test.each([
  ['has the focus', true, true, ['https://go.example/first']],
  ['does not have the focus', false, true, []],
  ['has the focus, but the user turned copying off', true, false, []],
])(
  'the first link is copied only if the page has the focus: the page %s',
  async (_what, isFocused, autoCopy, copied) => {
    const made = { ...aLink('id-1'), shortUrl: 'https://go.example/first' };
    const deps = testDeps({ readLinks: async () => [made] });
    const copying = createWelcomeStore(
      { ...WELCOME_DEPS, ...deps, hasFocus: () => isFocused },
      { view: queuesView(), settings: createSettingsStore({ ...DEFAULT_SETTINGS, autoCopy }), ...START },
    );
    const end = copying.start();
    await copying.shorten('https://example.org/');
    expect(copying.firstLink.value).toEqual({ kind: 'done', link: made });
    expect(deps.written).toEqual(copied);
    end();
  },
);
