import '../../../gallery/stubbed.ts';
import { describe, expect, test, vi } from 'vitest';
import type { FlashMessage } from '../../../../src/components/error-toast.tsx';
import { QueuePage } from '../../../../src/pages/queue/queue-page.tsx';
import type { QueueActions } from '../../../../src/pages/queue/use-queue-actions.ts';
import { setPaused } from '../../../../src/queue/cancel-retry-pause.ts';
import { NOW, queue, request, SPEC_ONLY } from '../../../gallery/fixtures.ts';
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
  <QueuePage {...showing([waiting], online)} isPrivate={false} flash={null} now={NOW} handlers={recorded} />
);

describe('the queue page', () => {
  test('pauses a queue and lets it go on, and says which it is', async () => {
    calls.length = 0;
    await render(page());
    await press('Pause');
    const held = setPaused(queue({ connection: SPEC_ONLY, requests: [one] }), true);
    await rerender(page(held));
    expect(textOf(document.querySelector('.hold'))).toContain('You paused this queue.');
    expect(textOf(document.querySelector('.row-why'))).toBe('Paused by you');
    await press('Resume');
    expect(calls).toEqual([
      ['setOnHold', SPEC_ONLY.id, true],
      ['setOnHold', SPEC_ONLY.id, false],
    ]);
  });

  test('gives the focus to the next row as one is cancelled', async () => {
    await render(page());
    control('Cancel: One').focus();
    await rerender(page(queue({ connection: SPEC_ONLY, requests: [two] })));
    await vi.waitFor(() => expect(document.activeElement).toBe(control('Cancel: Two')));
  });

  test('gives the focus back as a message is dismissed', async () => {
    const problem = (flash: FlashMessage | null) => (
      <QueuePage {...showing([queue()], true)} isPrivate={false} {...{ flash, now: NOW, handlers: recorded }} />
    );
    await render(problem({ text: 'No' }));
    control('Pause').focus();
    control('Dismiss').focus();
    await press('Dismiss');
    await rerender(problem(null));
    expect(document.activeElement).toBe(control('Pause'));
  });

  test('says in words when what waits is sent', async () => {
    await render(page());
    expect(textOf(document.querySelector('.send-time'))).toBe('Sent in about 1 second.');
  });

  test('says no time where the service cannot be reached', async () => {
    const waiting = queue({ connection: SPEC_ONLY, requests: [one] });
    const pause = { until: NOW + 3000, reason: 'unreachable' as const, named: false };
    await render(page({ ...waiting, state: { ...waiting.state, failures: 2, pause } }));
    expect(document.querySelector('.send-time')).toBeNull();
    expect(control('Try now')).toBeTruthy();
  });

  test('says no time while there is no network', async () => {
    await render(page(queue({ connection: SPEC_ONLY, requests: [one] }), false));
    expect(textOf(document.querySelector('.row-why'))).toBe("You're offline. It's sent once you're back.");
    expect(document.querySelector('.send-time')).toBeNull();
  });

  test('asks before it gives up a list, and gives up the whole of it', async () => {
    calls.length = 0;
    const list = ['x', 'y'].map((id) => request({ id, groupId: 'g', title: '' }));
    await render(page(queue({ connection: SPEC_ONLY, requests: list })));
    await press('Cancel: A list of 2 addresses');
    expect(calls).toEqual([]);
    await press('Cancel the remaining 2');
    expect(calls).toEqual([['cancel', ['x', 'y']]]);
  });
});
