import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_ENTRIES } from '../../../../src/import-export/import-limits.ts';
import { NoReply } from '../../../../src/messages/ask-background.ts';
import type { Accepted, Message, Reply } from '../../../../src/messages/protocol.ts';
import { BulkPage } from '../../../../src/pages/bulk/bulk-page.tsx';
import type { BulkDeps } from '../../../../src/pages/bulk/bulk-store.ts';
import { EMPTY_STATE } from '../../../../src/queue/user-actions.ts';
import { type BulkGiven, bulkStore, MANY_STATES } from '../../../gallery/bulk-states.tsx';
import { limits, NOW, queue, queuesView, request, SECOND_CONNECTION, SPEC_ONLY } from '../../../gallery/fixtures.ts';
import { testDeps } from '../../../gallery/page-deps.ts';
import { control, press, render, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const requestPermission = vi.fn<(asked: object) => Promise<boolean>>().mockResolvedValue(true);
const removePermission = vi.fn<(given: object) => Promise<boolean>>().mockResolvedValue(true);
const query = vi.fn<(asked: object) => Promise<object[]>>();
Object.assign((globalThis as unknown as { browser: object }).browser, {
  permissions: { request: requestPermission, remove: removePermission },
  runtime: { getURL: (path: string) => `chrome-extension://own/${path}` },
  storage: { onChanged: { addListener: () => {}, removeListener: () => {} } },
  tabs: { query },
});

let stop = () => {};
afterEach(() => stop());

async function show(given: BulkGiven | string, part: Partial<BulkDeps> = {}) {
  const progress: string[] = [];
  const state = typeof given === 'string' ? (MANY_STATES[given] ?? {}) : given;
  const view = queuesView(state.queues);
  const deps = testDeps({ view, readLinks: async () => state.known ?? [], ...part });
  const store = bulkStore(state, { ...deps, showProgress: (id) => void progress.push(id) });
  await render(<BulkPage store={store} />);
  return { ...deps, store, progress };
}

const rows = () => [...document.querySelectorAll('.row')];
const dock = () => textOf(document.querySelector('.toolbar p'));
const field = () => control('Paste addresses, or drop a file here') as HTMLTextAreaElement;
const toast = () => textOf(document.querySelector('.toast p'));
const ABC = 'https://a.example/\nhttps://b.example/\nhttps://c.example/';

/** Pastes text into the field. Returns true if the page has used the text. */
async function paste(text: string, files: File[] = []): Promise<boolean> {
  const getData = (format: string) => (format === 'text/plain' ? text : '');
  const event = new Event('paste', { bubbles: true, cancelable: true });
  await act(() => void field().dispatchEvent(Object.assign(event, { clipboardData: { getData, files } })));
  return event.defaultPrevented;
}

describe('the list', () => {
  test('shows its entries and cost, and the reason for each invalid line', async () => {
    await show('list');
    expect(rows()).toHaveLength(7);
    expect(textOf(rows()[6] ?? null)).toContain('Already shortened: go.example/Kx3f9Qp');
    const boxes = rows().map((row) => row.querySelector('input')?.checked);
    expect(boxes).toEqual([true, true, false, true, true, true, false]);
    expect(dock()).toBe('Uses 1 of the 13 requests you have left today');
    expect([...document.querySelectorAll('.invalid-line')].map(textOf)).toEqual([
      'Shopping list This is not a complete URL. It should look like example.com/page.',
      'mailto:jane@example.com This is an email address. Only web pages can be shortened.',
    ]);
  });

  test('shows that the quota is too small', async () => {
    await show('spec-only');
    expect(dock()).toBe('Needs 35 requests, but you have 15 left today');
  });

  test.each([
    [
      'the API key is missing',
      queue({ state: { ...EMPTY_STATE, blocked: 'key_missing' } }),
      /Waiting for the API key$/,
    ],
    ['the queue is paused', queue({ state: { ...EMPTY_STATE, paused: true } }), /Paused by you$/],
    ['the quota is used up', queue({ limits: limits(0) }), /^Your quota is used up/],
  ])('says that %s', async (_what, blocked, text) => {
    await show({ text: 'https://a.example/', queues: [blocked] });
    expect(dock()).toMatch(text);
  });

  test('names no wait that is over, and no network that a server on this computer does not need', async () => {
    const over = { until: NOW - 1, reason: 'quota', named: true } as const;
    const connection = { ...SPEC_ONLY, baseUrl: 'http://127.0.0.1:8787' };
    const queues = [queue({ connection, state: { ...EMPTY_STATE, wait: over } })];
    await show({ text: 'https://a.example/', queues }, { isOnline: () => false });
    expect(dock()).toMatch(/^Uses 1 of the \d+ requests you have left today$/);
  });

  test('has a checkbox for each entry and one for all entries', async () => {
    await show('list');
    await act(() => rows()[0]?.querySelector('input')?.click());
    expect(textOf(document.querySelector('#list-title'))).toBe('4 of 7 addresses selected');
    await press('All addresses');
    expect(textOf(document.querySelector('#list-title'))).toBe('7 of 7 addresses selected');
  });

  test('accepts 1,000 addresses, shows 100 at first, and keeps the rest', async () => {
    const accepted = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
    const { progress, store } = await show('thousand', { ask: (async () => ({ ok: true, value: accepted })) as never });
    expect(rows()).toHaveLength(100);
    await press('Show more');
    expect(rows()).toHaveLength(200);
    expect(dock()).toContain('A list can have up to 1,000 addresses. Send these first. The rest stay here.');
    await press('Shorten 1,000 addresses');
    expect(store.list.value.entries).toHaveLength(200);
    expect(progress).toEqual([]);
    expect(control('Show').getAttribute('href')).toMatch(/queue\/index\.html\?list=/);
  });

  test('costs one request per batch, or one per URL, without those that have a link or wait', async () => {
    await show({ text: ABC, queues: [queue({ connection: SPEC_ONLY })] });
    expect(dock()).toContain('Uses 3 of');
    await paste('https://d.example/');
    expect(dock()).toContain('Uses 4 of');
    const waiting = queue({ connection: SPEC_ONLY, requests: [request({ url: 'https://a.example/' })] });
    await show({ text: 'https://a.example/', queues: [waiting] });
    await act(() => rows()[0]?.querySelector('input')?.click());
    expect(dock()).toContain('Nothing to send');
  });

  test('is not lost without a question when the user closes the page', async () => {
    const isAskedFirst = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const { store } = await show('empty');
    stop = store.start();
    await paste('javascript:x');
    expect(isAskedFirst()).toBe(false);
    await paste('https://a.example/');
    expect(isAskedFirst()).toBe(true);
    await act(() => rows()[0]?.querySelector('input')?.click());
    expect(isAskedFirst()).toBe(false);
    await type(field(), 'Shopping list');
    expect(isAskedFirst()).toBe(true);
  });

  test('marks entries that have a link or wait in the queue, and does not select them', async () => {
    const waiting = request({ url: 'https://a.example/' });
    await show({ text: ABC, queues: [queue({ requests: [waiting] })] });
    expect(textOf(document.querySelector('#list-title'))).toBe('2 of 3 addresses selected');
  });
});

describe('the field', () => {
  test('has the focus, and adds pasted lists immediately, even beside typed text', async () => {
    await show('empty');
    expect(document.activeElement).toBe(field());
    expect(await paste('https://b.example/')).toBe(true);
    await type(field(), 'https://');
    // A single line completes the typed text.
    expect(await paste('a.example/')).toBe(false);
    expect(await paste(ABC)).toBe(true);
    expect(rows()).toHaveLength(3);
    expect(field().value).toBe('https://');
  });

  test.each([
    [
      'Enter',
      () => act(() => void field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))),
    ],
    ['the Add button', () => submit(document.querySelector('form'))],
  ])('adds its text with %s', async (_name, add) => {
    await show('empty');
    await type(field(), 'https://a.example/');
    await add();
    expect(field().value).toBe('');
    expect(rows()).toHaveLength(1);
  });

  test('keeps a text that is too long, and says why', async () => {
    await show('empty');
    await type(field(), 'https://a.example/\n'.repeat(MAX_ENTRIES + 1));
    await submit(document.querySelector('form'));
    expect(field().value).not.toBe('');
    expect(toast()).toMatch(/^This is too large: the maximum is 50,000 entries and 32 MB\. Nothing was added\./);
    // The page uses the text, so the browser does not insert it into the field.
    expect(await paste('https://a.example/\n'.repeat(MAX_ENTRIES + 1))).toBe(true);
  });

  test('receives the invalid lines when the user presses "Edit"', async () => {
    await show('list');
    await press('Edit');
    expect(field().value).toBe('Shopping list\nmailto:jane@example.com');
    expect(document.activeElement).toBe(field());
    expect(document.querySelector('.invalid')).toBeNull();
  });

  test('is replaced by a button to connect a server if there is no connection', async () => {
    const { opened } = await show('unconnected');
    await press('Connect a server');
    expect(opened).toEqual(['options']);
  });
});

describe('files and tabs', () => {
  test('an error in one of several files is shown, and the other files are added', async () => {
    const { store } = await show('empty');
    const long = new File(['https://a.example/\n'.repeat(MAX_ENTRIES + 1)], 'long.txt');
    await act(() => store.addFiles([long, new File([''], 'empty.txt'), new File(['https://b.example/'], 'fine.txt')]));
    expect(rows()).toHaveLength(1);
    expect(toast()).toContain('too large');
    await act(() => store.addFiles([new File(['<p>No links</p>'], 'page.html')]));
    expect(toast()).toBe('Nothing found');
  });

  test('if the user denies access to tabs, a message asks for the permission', async () => {
    requestPermission.mockResolvedValueOnce(false);
    const { store } = await show('empty');
    await act(() => store.addTabs());
    expect(toast()).toBe('Terse needs your permission to do this. Try again and choose Allow.');
  });

  test.each([
    ['are read', async () => [{ id: 1, url: 'https://a.example/', incognito: false }]],
    ['cannot be read', async () => Promise.reject(new Error('No window'))],
  ])('the permission to read tabs is removed after the tabs %s', async (_what, answer) => {
    removePermission.mockClear();
    query.mockImplementation(answer);
    const { store } = await show('empty');
    await act(() => store.addTabs());
    expect(removePermission.mock.calls).toEqual([[{ permissions: ['tabs'] }]]);
  });

  test('tabs are added even if the permission to read them cannot be removed', async () => {
    removePermission.mockRejectedValueOnce(new Error('Not removable'));
    query.mockResolvedValue([{ id: 1, url: 'https://a.example/', incognito: false }]);
    const { store } = await show('empty');
    await act(() => store.addTabs());
    expect(rows()).toHaveLength(1);
  });
});

describe('sending', () => {
  type Shorten = Message & { type: 'shorten' };
  const taken = (refused: string[] = []): Reply<Accepted> => ({
    ok: true,
    value: {
      requestIds: [],
      existing: [],
      refused: refused.map((orderId) => ({ orderId, code: 'own_short_link' })),
      userInfoRemoved: false,
    },
  });
  const sending = (answer: (message: Shorten) => Promise<Reply<Accepted>>) =>
    show({ text: ABC }, { ask: answer as unknown as BulkDeps['ask'] });
  const urls = () => rows().map((row) => textOf(row));

  test('sends the selected entries as one list, and then shows its progress', async () => {
    const { asked, progress } = await sending(async () => taken());
    await act(() => rows()[1]?.querySelector('input')?.click());
    await press('Shorten 2 addresses');
    const [message] = asked as Shorten[];
    expect(message).toMatchObject({ orders: [{ url: 'https://a.example/' }, { url: 'https://c.example/' }] });
    expect(progress).toEqual([message?.listId]);
    expect(urls()).toEqual(['b.example']);
  });

  test('keeps entries that the background worker refuses, and names the first one', async () => {
    const { progress } = await sending(async ({ orders }) => taken([orders[0]?.id ?? '']));
    await press('Shorten 3 addresses');
    expect(urls()).toEqual(['a.example']);
    expect(toast()).toContain('https://a.example/');
    expect(progress).toEqual([]);
  });

  test.each<[string, (message: Shorten) => Promise<Reply<Accepted>>]>([
    ['all entries are refused', async ({ orders }) => taken(orders.map(({ id }) => id))],
    ['the whole list is refused', async () => ({ ok: false, code: 'no_connection' })],
  ])('keeps the list if %s', async (_what, answer) => {
    const { progress } = await sending(answer);
    await press('Shorten 3 addresses');
    expect(urls()).toHaveLength(3);
    expect(progress).toEqual([]);
    expect((control('Shorten 3 addresses') as HTMLButtonElement).disabled).toBe(false);
  });

  test('sends a list without a reply again with the same ids', async () => {
    const answers = [Promise.reject(new NoReply('It died.')), Promise.resolve(taken())];
    const { asked } = await sending(async () => answers.shift() ?? taken());
    await press('Shorten 3 addresses');
    expect(toast()).not.toBe('');
    await press('Shorten 3 addresses');
    expect(new Set(asked.map((message) => JSON.stringify(message))).size).toBe(1);
    expect(asked).toHaveLength(2);
    expect(urls()).toEqual([]);
  });

  test('sends a list without a reply to another connection with new ids, and keeps the selection', async () => {
    const answers = [Promise.reject(new NoReply('It died.')), Promise.resolve(taken())];
    const ask = (async () => answers.shift() ?? taken()) as unknown as BulkDeps['ask'];
    const { asked, store } = await show(
      { text: ABC, queues: [queue(), queue({ connection: SECOND_CONNECTION })] },
      { ask },
    );
    await act(() => rows()[1]?.querySelector('input')?.click());
    await press('Shorten 2 addresses');
    await act(() => {
      store.chosenId.value = SECOND_CONNECTION.id;
    });
    await press('Shorten 2 addresses');
    const [first, second] = asked as Shorten[];
    const idsOf = (message?: Shorten) => [message?.listId, ...(message?.orders.map(({ id }) => id) ?? [])];
    expect(second?.connectionId).toBe(SECOND_CONNECTION.id);
    expect(second?.orders.map(({ url }) => url)).toEqual(first?.orders.map(({ url }) => url));
    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
    expect(urls()).toEqual(['b.example']);
  });
});
