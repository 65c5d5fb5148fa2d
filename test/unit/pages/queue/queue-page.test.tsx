import '../../../gallery/stubbed.ts';
import { describe, expect, test, vi } from 'vitest';
import type { FlashMessage } from '../../../../src/components/error-toast.tsx';
import { QueuePage } from '../../../../src/pages/queue/queue-page.tsx';
import type { QueueActions } from '../../../../src/pages/queue/use-queue-actions.ts';
import { setPaused } from '../../../../src/queue/cancel-retry-pause.ts';
import { attempt, CONNECTION, NOW, queue, queuesView, request, SPEC_ONLY } from '../../../gallery/fixtures.ts';
import { HANDLERS, showing } from '../../../gallery/queue-states.tsx';
import { control, press, render, rerender, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

const calls: unknown[][] = [];
const recorded = Object.fromEntries(
  Object.keys(HANDLERS).map((name) => [name, (...given: unknown[]) => void calls.push([name, ...given])]),
) as unknown as QueueActions;

const one = request({ id: 'one', title: 'One', createdAt: NOW - 2 });
const two = request({ id: 'two', title: 'Two', createdAt: NOW - 1 });
const page = (waiting = queue({ connection: SPEC_ONLY, requests: [one, two] }), online = true) => (
  <QueuePage {...showing([waiting], online)} flash={null} now={NOW} handlers={recorded} />
);

const state = () => textOf(document.querySelector('.queue-state'));
const notes = () => [...document.querySelectorAll('.row-note')].map(textOf);

describe('the queue page', () => {
  test('pauses and resumes a queue, and shows that the queue is paused', async () => {
    calls.length = 0;
    await render(page());
    await press('Pause');
    const held = setPaused(queue({ connection: SPEC_ONLY, requests: [one] }), true);
    await rerender(page(held));
    expect(state()).toBe('Paused by you');
    expect(notes()).toEqual(['']);
    await press('Resume');
    expect(calls).toEqual([
      ['setOnHold', SPEC_ONLY.id, true],
      ['setOnHold', SPEC_ONLY.id, false],
    ]);
  });

  test('marks a message of the server as such', async () => {
    const failed = request({ state: 'failed', problem: { code: 'invalid_url', message: 'Not this host.' } });
    await render(page(queue({ connection: SPEC_ONLY, requests: [failed] })));
    expect(textOf(document.querySelector('.row-text'))).toContain('The server says: Not this host.');
  });

  test('moves the focus to the next row when a request is canceled', async () => {
    await render(page());
    control('Cancel: One').focus();
    await rerender(page(queue({ connection: SPEC_ONLY, requests: [two] })));
    await vi.waitFor(() => expect(document.activeElement).toBe(control('Cancel: Two')));
  });

  test('returns the focus to the previous element when a message is dismissed', async () => {
    const problem = (flash: FlashMessage | null) => (
      <QueuePage {...showing([queue()], true)} {...{ flash, now: NOW, handlers: recorded }} />
    );
    await render(problem({ text: 'No' }));
    control('Pause').focus();
    control('Dismiss').focus();
    await press('Dismiss');
    await rerender(problem(null));
    expect(document.activeElement).toBe(control('Pause'));
  });

  test('says when the requests are sent', async () => {
    await render(page());
    expect(state()).toBe('Ready in about 1 second.');
    expect(document.querySelector('.is-warning')).toBeNull();
  });

  test('says only once that the server is unreachable, and when the queue retries', async () => {
    const unanswered = request({ id: 'sent', state: 'unknown', attempts: 1 });
    const waiting = queue({ requests: [unanswered, one, two], attempts: [attempt([unanswered])] });
    const wait = { until: NOW + 4 * 60_000, reason: 'unreachable' as const, named: false };
    await render(page({ ...waiting, state: { ...waiting.state, failures: 2, wait } }));
    expect(state()).toMatch(/^The server can.*Retrying in 4 min\.$/);
    expect(notes()).toEqual(['', '', '']);
    await press('Try now');
    expect(calls.at(-1)).toEqual(['tryNow', CONNECTION.id]);
  });

  test('says that the user is offline, without a warning about the server', async () => {
    await render(page(queue({ connection: SPEC_ONLY, requests: [one] }), false));
    expect(state()).toMatch(/offline/);
    expect(document.querySelector('.is-warning, .is-danger')).toBeNull();
  });

  test('says why a queue is blocked, with one primary button to fix it', async () => {
    calls.length = 0;
    const blocked = queue({ connection: SPEC_ONLY, requests: [one] });
    await render(page({ ...blocked, state: { ...blocked.state, blocked: 'unauthorized' } }));
    expect(state()).toBe('Action needed');
    expect(textOf(document.querySelector('.queue-reason'))).toContain('API key');
    expect([...document.querySelectorAll('.is-primary')].map(textOf)).toEqual(['Replace key']);
    await press('Replace key');
    expect(calls).toEqual([['openOptions', expect.any(Event)]]);
  });

  test('counts waiting requests and requests that need the user', async () => {
    await render(page(queue({ connection: SPEC_ONLY, requests: [one, request({ state: 'failed' })] })));
    expect(textOf(document.querySelector('.page-note'))).toBe('1 waiting · 1 to review');
  });

  test('says that the queue is empty', async () => {
    await render(page(queue({ connection: SPEC_ONLY })));
    expect(state()).toBe('The queue is empty');
  });

  test('leads to the options if no server is connected', async () => {
    calls.length = 0;
    const none = { view: queuesView([]), requests: [] };
    await render(<QueuePage {...none} flash={null} now={NOW} handlers={recorded} />);
    await press('Connect a server');
    expect(calls).toEqual([['openOptions', expect.any(Event)]]);
  });

  test('leads to the page of a list', async () => {
    calls.length = 0;
    await render(page(queue({ connection: SPEC_ONLY, requests: [request({ groupId: 'g' })] })));
    await press('Show');
    expect(calls).toEqual([['openGroup', 'g']]);
  });

  test('asks for confirmation before it cancels all requests of a list', async () => {
    calls.length = 0;
    const list = ['x', 'y'].map((id) => request({ id, groupId: 'g', title: '' }));
    await render(page(queue({ connection: SPEC_ONLY, requests: list })));
    await press('Cancel: List of 2 addresses');
    expect(calls).toEqual([]);
    await press('Cancel 2 waiting links');
    expect(calls).toEqual([['cancel', ['x', 'y']]]);
  });
});
