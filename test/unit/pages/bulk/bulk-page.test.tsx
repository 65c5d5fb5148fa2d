import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_ENTRIES } from '../../../../src/import-export/import-limits.ts';
import { NoReply } from '../../../../src/messages/ask-background.ts';
import type { Accepted, Message, Reply } from '../../../../src/messages/protocol.ts';
import { BulkPage } from '../../../../src/pages/bulk/bulk-page.tsx';
import type { BulkDeps } from '../../../../src/pages/bulk/bulk-store.ts';
import { BATCHING, type BulkGiven, bulkStore, MANY_STATES } from '../../../gallery/bulk-states.tsx';
import { limits, queue, queuesView, SECOND_CONNECTION, SPEC_ONLY } from '../../../gallery/fixtures.ts';
import { testDeps } from '../../../gallery/page-deps.ts';
import { acting, control, press, render, submit, textOf, type } from '../../support/render.ts';

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
  const deps = testDeps({ view, ...part });
  const store = bulkStore(state, { ...deps, showProgress: (id) => void progress.push(id) });
  await render(<BulkPage store={store} />);
  return { ...deps, store, progress };
}

const removeRow = (at: number) => act(() => rows()[at]?.querySelector('button')?.click());
const rows = () => [...document.querySelectorAll('.row')];
const dock = () => document.querySelector('.toolbar p')?.textContent ?? '';
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
  test('shows the reason for each invalid line first, and then what can be sent', async () => {
    await show('list');
    expect(textOf(document.querySelector('[role="alert"]'))).toBe("2 lines can't be shortened");
    expect(rows().slice(0, 3).map(textOf)).toEqual([
      'Shopping list This is not a complete URL. It should look like example.com/page.',
      'mailto:jane@example.com This is an email address. Only web pages can be shortened.',
      'How to read a river www.example.org /articles/1',
    ]);
    await removeRow(1);
    expect(textOf(document.querySelector('[role="alert"]'))).toBe("1 line can't be shortened");
    control('Shorten 7 addresses');
    await press('Remove: How to read a river');
    control('Shorten 6 addresses');
  });

  test('shows that the quota may be too small, by requests of which each holds one URL or a batch', async () => {
    await show('spec-only');
    expect(dock()).toBe('Needs up to 35 requests, but you have 15 left today');
    await show({ text: ABC, queues: [queue({ connection: SPEC_ONLY, limits: limits(3) })] });
    expect(dock()).toBe('');
    await show({ ...MANY_STATES.list, queues: [queue({ connection: BATCHING, limits: limits(0) })] });
    expect(dock()).toBe('Needs up to 1 request, but you have 0 left today');
  });

  test('accepts 1,000 addresses, shows 100 at first, and keeps the rest', async () => {
    const accepted = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
    const { opened, progress, store } = await show('thousand', {
      ask: (async () => ({ ok: true, value: accepted })) as never,
    });
    expect(rows()).toHaveLength(100);
    await press('Show more');
    expect(rows()).toHaveLength(200);
    await press('Show more');
    expect(rows()).toHaveLength(400);
    expect(dock()).toContain('A list can have up to 1,000 addresses. Send these first. The rest stay here.');
    await press('Shorten 1,000 addresses');
    expect(store.entries.value).toHaveLength(200);
    expect(progress).toEqual([]);
    expect(opened).toEqual([expect.stringContaining('queue/index.html?list=')]);
  });

  test('moves the focus to a visible control when its last entry is removed', async () => {
    await show('empty');
    await paste('https://a.example/');
    control('Remove: https://a.example/').focus();
    await removeRow(0);
    await vi.waitFor(() => expect(textOf(document.activeElement)).toBe('Choose file'));
  });

  test('is not lost without a question when the user closes the page', async () => {
    const isAskedFirst = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const { store } = await show('empty');
    stop = store.start();
    await paste('javascript:x');
    expect(isAskedFirst()).toBe(false);
    await paste('https://a.example/');
    expect(isAskedFirst()).toBe(true);
    await press('Remove: https://a.example/');
    expect(isAskedFirst()).toBe(false);
    await type(field(), 'Shopping list');
    expect(isAskedFirst()).toBe(true);
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
    expect(textOf(document.querySelector('[role="status"]'))).toBe('List of 3 addresses');
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

  test('is replaced by a button to connect a server if there is no connection', async () => {
    const { opened } = await show('unconnected');
    await press('Connect a server');
    expect(opened).toEqual(['options']);
  });
});

describe('files and tabs', () => {
  test('the reason is shown if nothing in a file can be added', async () => {
    const { store } = await show('empty');
    await act(() => store.addFile(new File(['https://b.example/'], 'fine.txt')));
    await act(() => store.addFile(new File(['https://a.example/\n'.repeat(MAX_ENTRIES + 1)], 'long.txt')));
    expect(rows()).toHaveLength(1);
    expect(toast()).toContain('too large');
    await act(() => store.addFile(new File(['<p>No links</p>'], 'page.html')));
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

  test('keeps entries that the background worker refuses, with the reasons, while the list is shown in a tab', async () => {
    const { opened, progress } = await sending(async ({ orders }) => taken([orders[0]?.id ?? '']));
    await press('Shorten 3 addresses');
    expect(urls()).toEqual(['a.example This is already one of your short URLs.']);
    expect(progress).toEqual([]);
    expect(opened).toHaveLength(1);
  });

  test.each<[string, (message: Shorten) => Promise<Reply<Accepted>>]>([
    ['all entries are refused', async ({ orders }) => taken(orders.map(({ id }) => id))],
    ['the whole list is refused', async () => ({ ok: false, code: 'no_connection' })],
  ])('keeps the list if %s', async (_what, answer) => {
    const { opened, progress } = await sending(answer);
    await press('Shorten 3 addresses');
    expect(urls()).toHaveLength(3);
    expect([...progress, ...opened]).toEqual([]);
  });

  test('keeps the focus and the connection until the reply, and sends nothing twice', async () => {
    const reply = Promise.withResolvers<Reply<Accepted>>();
    const { asked, progress, store } = await show(
      { text: ABC, queues: [queue(), queue({ connection: SECOND_CONNECTION })] },
      { ask: (() => reply.promise) as unknown as BulkDeps['ask'] },
    );
    await press('Shorten 3 addresses');
    expect(control('Shorten 3 addresses')).toHaveProperty('disabled', false);
    await press('Shorten 3 addresses');
    await act(() => store.choose(SECOND_CONNECTION.id));
    await acting(() => reply.resolve(taken()));
    expect(asked).toHaveLength(1);
    expect(progress).toEqual([(asked[0] as Shorten).listId]);
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

  test('sends a list without a reply to another connection with new ids', async () => {
    const answers = [Promise.reject(new NoReply('It died.')), Promise.resolve(taken())];
    const ask = (async () => answers.shift() ?? taken()) as unknown as BulkDeps['ask'];
    const { asked, store } = await show(
      { text: ABC, queues: [queue(), queue({ connection: SECOND_CONNECTION })] },
      { ask },
    );
    await press('Shorten 3 addresses');
    await act(() => store.choose(SECOND_CONNECTION.id));
    await press('Shorten 3 addresses');
    const [first, second] = asked as Shorten[];
    const idsOf = (message?: Shorten) => [message?.listId, ...(message?.orders.map(({ id }) => id) ?? [])];
    expect(second?.connectionId).toBe(SECOND_CONNECTION.id);
    expect(second?.orders.map(({ url }) => url)).toEqual(first?.orders.map(({ url }) => url));
    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
    expect(urls()).toEqual([]);
  });
});
