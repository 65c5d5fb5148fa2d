import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { describe, expect, test, vi } from 'vitest';
import { QueuePage } from '../../../../src/pages/queue/queue-page.tsx';
import type { Queue, VisibleQueues } from '../../../../src/queue/types.ts';
import { setPaused } from '../../../../src/queue/user-actions.ts';
import { CONNECTION, NOW, queue, queuesView, request, SPEC_ONLY } from '../../../gallery/fixtures.ts';
import { testDeps } from '../../../gallery/page-deps.ts';
import { QUEUE_STATES, queueStore } from '../../../gallery/queue-states.tsx';
import { control, press, render, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

const one = request({ id: 'one', title: 'One', createdAt: NOW - 2 });
const two = request({ id: 'two', title: 'Two', createdAt: NOW - 1 });
const BOTH = queue({ connection: SPEC_ONLY, requests: [one, two] });

/** Shows the page. `store` changes the queues that the database returns after the next command. */
async function show(shown: Queue | null = BOTH, online = true) {
  let view: VisibleQueues = queuesView(shown ? [shown] : []);
  const deps = testDeps({ readQueues: async () => view, isOnline: () => online });
  await render(<QueuePage store={queueStore({ queues: view.queues }, deps)} />);
  const stores = (next: Queue) => {
    view = queuesView([next]);
  };
  return { ...deps, stores };
}

const state = () => textOf(document.querySelector('.queue-state'));
const notes = () => [...document.querySelectorAll('.row-note')].map(textOf);
const rows = () => [...document.querySelectorAll('.row-text')].map(textOf);

describe('the queue page', () => {
  test('pauses and resumes a queue, and shows that the queue is paused', async () => {
    const { asked, stores } = await show();
    stores(setPaused(queue({ connection: SPEC_ONLY, requests: [one] }), true));
    await press('Pause');
    expect(state()).toBe('Paused by you');
    expect(notes()).toEqual(['']);
    await press('Resume');
    expect(asked).toEqual([
      { type: 'set-paused', connectionId: SPEC_ONLY.id, isPaused: true },
      { type: 'set-paused', connectionId: SPEC_ONLY.id, isPaused: false },
    ]);
  });

  test('moves the focus to the next row when a request is canceled', async () => {
    const { asked, stores } = await show();
    stores(queue({ connection: SPEC_ONLY, requests: [two] }));
    control('Cancel: One').focus();
    await press('Cancel: One');
    await vi.waitFor(() => expect(document.activeElement).toBe(control('Cancel: Two')));
    expect(asked).toEqual([{ type: 'cancel', ids: ['one'] }]);
  });

  test('shows why a change failed, and returns the focus when the message is dismissed', async () => {
    const ask = async () => ({ ok: false, code: 'storage_full' }) as const;
    await render(<QueuePage store={queueStore({ queues: [BOTH] }, { ask })} />);
    await press('Pause');
    expect(textOf(document.querySelector('.toast'))).toContain('full');
    control('Pause').focus();
    control('Dismiss').focus();
    await press('Dismiss');
    expect(document.querySelector('.toast')).toBeNull();
    expect(document.activeElement).toBe(control('Pause'));
  });

  test('says when the requests are sent', async () => {
    await show();
    expect(state()).toBe('Ready in about 1 second.');
    expect(document.querySelector('.is-warning')).toBeNull();
  });

  test('says only once that the server is unreachable, and when the queue retries', async () => {
    const waiting = queue({ requests: [one, two] });
    const wait = { until: NOW + 4 * 60_000, reason: 'unreachable' as const, named: false };
    const { asked } = await show({ ...waiting, state: { ...waiting.state, failures: 2, wait } });
    expect(state()).toMatch(/^The server can.*Retrying in 4 min\.$/);
    expect(notes()).toEqual(['', '']);
    await press('Try now');
    expect(asked).toEqual([{ type: 'try-now', connectionId: CONNECTION.id }]);
  });

  test('says at each delayed request when it is sent again', async () => {
    const delayed = request({ retryAt: NOW + 8 * 60_000, problem: { code: 'gateway_refused', message: '' } });
    await show(queue({ requests: [one, delayed] }));
    expect(notes()).toEqual(['', expect.stringContaining('8 min')]);
  });

  test('says why a queue is blocked, with one primary button to fix it', async () => {
    const { opened } = await show({ ...BOTH, state: { ...BOTH.state, blocked: 'unauthorized' } });
    expect(state()).toBe('Action needed');
    expect(textOf(document.querySelector('.queue-reason'))).toContain('API key');
    // The buttons come after the reason for them.
    expect(document.querySelector('.queue-reason + .actions')).not.toBeNull();
    expect([...document.querySelectorAll('.is-primary')].map(textOf)).toEqual(['Replace key']);
    await press('Replace key');
    expect(opened).toEqual(['options']);
  });

  test('counts waiting requests and requests that need the user', async () => {
    await show(queue({ connection: SPEC_ONLY, requests: [one, request({ state: 'failed' })] }));
    expect(textOf(document.querySelector('.page-note'))).toBe('1 waiting · 1 to review');
  });

  test('leads to the options if no server is connected', async () => {
    const { opened } = await show(null);
    await press('Connect a server');
    expect(opened).toEqual(['options']);
  });

  test('shows requests that need the user first, then those that were sent, then the others', async () => {
    const listed = (id: string, listId = 'g') => request({ id, listId, title: id });
    const requests = [
      ...[one, listed('l1'), listed('l2'), listed('m1', 'h')],
      ...[request({ title: 'goes', state: 'sending' }), request({ title: 'failed', state: 'failed', listId: 'g' })],
    ];
    await show(queue({ requests }));
    const titles = rows().map((text) => text.replace(/ www\..*/, ''));
    expect(titles).toEqual(['failed', 'goes', 'One', 'List of 2 addresses', 'List of 1 address']);
    const lists = [...document.querySelectorAll('a.button')].map((link) => link.getAttribute('href'));
    expect(lists).toEqual(['g', 'h'].map((id) => `/src/pages/queue/index.html?list=${id}`));
  });
});

describe('the progress of a list', () => {
  async function showList(name: string) {
    const state = QUEUE_STATES[name] ?? { queues: [] };
    const deps = testDeps({ view: queuesView(state.queues) });
    const store = queueStore(state, deps);
    await render(<QueuePage store={store} />);
    return { ...deps, store };
  }
  const title = () => textOf(document.querySelector('h1'));
  const progress = () => textOf(document.querySelector('.progress'));

  test('is in the heading, with the time when the rest is sent', async () => {
    await showList('list-progress');
    expect(title()).toBe('12 of 30 shortened');
    const bar = document.querySelector('progress');
    expect([bar?.value, bar?.max]).toEqual([12, 30]);
    expect(progress()).toMatch(/^Ready in about \d+ hours\. You can close this page\.$/);
  });

  test('says why the list waits if the reason is not the quota', async () => {
    await showList('list-held');
    expect(progress()).toContain('Paused by you');
  });

  test('can be stopped after the user confirms', async () => {
    const { asked } = await showList('list-progress');
    await press('Cancel the rest');
    expect(asked).toEqual([]);
    await act(() => [...document.querySelectorAll<HTMLElement>('dialog button')].at(-1)?.click());
    expect(asked).toEqual([{ type: 'cancel', ids: expect.objectContaining({ length: 18 }) }]);
  });

  test('asks nothing any more once the rest is sent', async () => {
    const { store } = await showList('list-progress');
    await press('Cancel the rest');
    const { value: before } = store.view;
    for (const view of [queuesView([queue()]), before]) {
      await act(() => void Object.assign(store.view, { value: view }));
      expect(document.querySelector('dialog')).toBeNull();
    }
  });

  test('ends with the number of links, and shows requests that need the user first', async () => {
    const { asked } = await showList('list-ended');
    expect(title()).toBe('5 of 6 shortened');
    expect(progress()).toBe('2 were canceled or removed.');
    const buttons = [...(document.querySelector('.row')?.querySelectorAll('button') ?? [])];
    const names = buttons.map((button) => button.getAttribute('aria-label') ?? '');
    expect(names.map((name) => name.split(':')[0])).toEqual(['Try again', 'Dismiss']);
    for (const name of names) await press(name);
    expect(asked.map(({ type }) => type)).toEqual(['retry', 'cancel']);
  });

  test('shows that nothing was shortened if the whole list was canceled', async () => {
    await showList('list-canceled');
    expect(title()).toBe('0 of 3 shortened');
    expect(progress()).toBe('3 were canceled or removed.');
    expect(document.querySelector('.toolbar')).toBeNull();
  });

  test('leads to a new list if the list is no longer stored', async () => {
    await showList('list-unknown');
    expect(control('New list').getAttribute('href')).toMatch(/bulk\/index\.html$/);
  });
});
