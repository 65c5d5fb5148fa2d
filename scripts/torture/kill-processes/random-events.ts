import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Accepted } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import type { Queue, RunState } from './run-state.ts';

const EVENTS = [
  ...(['nothing', 'nothing', 'again', 'order', 'order'] as const),
  ...(['hold', 'hold', 'background', 'browser', 'service'] as const),
] as const;

/** Submits ten requests for each service, so that requests are already waiting when the test first kills a process. */
export async function fillQueues(state: RunState): Promise<void> {
  await order(state, state.idempotent, 10);
  await order(state, state.specOnly, 10);
}

export async function performRandomEvent(state: RunState): Promise<void> {
  const { chance, services, idempotent, specOnly } = state;
  services.changeFaults(chance);
  await pause(chance.between(0, 2_000));
  const event = chance.pick(EVENTS);
  if (event === 'again') await sendAgain(state);
  if (event === 'hold') await hold(state);
  if (event === 'background' || event === 'browser' || event === 'service') await kill(state, event);
  if (event === 'order') {
    const ordered = order(state, chance.pick([idempotent, specOnly]), chance.between(1, 4));
    // Usually kills the background worker or the browser while the extension accepts a request.
    const victim = chance.pick([null, 'background', 'browser'] as const);
    await pause(chance.between(0, 40));
    if (victim) await kill(state, victim);
    await ordered;
  }
}

/**
 * Clicks "Send again" while the earlier attempt may still succeed. A service with idempotency keys must still create
 * only one link.
 */
async function sendAgain({ chance, user, idempotent }: RunState): Promise<void> {
  const left = (await user.disk()).requests.filter(
    ({ id, state }) =>
      (state === 'unanswered' || state === 'undecided') && idempotent.orders.some((order) => order.id === id),
  );
  // Draws a random number even if there is no request, so that the same seed leads to the same later events.
  const chosen = left[Math.floor(chance.next() * left.length)];
  if (chosen) await user.ask({ type: 'retry', id: chosen.id });
}

/**
 * Pauses a queue for a random time and then resumes it. In the meantime, usually kills the background worker, the
 * browser or the service.
 */
async function hold(state: RunState): Promise<void> {
  const { chance, user, idempotent, specOnly } = state;
  const { connectionId } = chance.pick([idempotent, specOnly]);
  await user.ask({ type: 'set-paused', connectionId, isPaused: true });
  const victim = chance.pick([null, 'background', 'browser', 'service'] as const);
  if (victim) await kill(state, victim);
  await pause(chance.between(0, 1_000));
  await user.ask({ type: 'set-paused', connectionId, isPaused: false });
}

async function kill({ chance, user, services, kills }: RunState, victim: keyof RunState['kills']): Promise<void> {
  kills[victim] += 1;
  if (victim === 'background') await user.killBackground();
  if (victim === 'browser') await user.killBrowser();
  if (victim === 'service') await services.killBackend(chance.between(0, 2_000));
}

/**
 * Submits `count` new URLs in one message. Repeats the message until the background worker answers. Throws if the
 * extension does not accept the URLs.
 */
async function order({ user }: RunState, queue: Queue, count: number): Promise<void> {
  const { connectionId } = queue;
  const orders = Array.from({ length: count }, () => randomUUID()).map((id) => ({
    id,
    url: `https://www.example.com/${id}`,
    title: '',
  }));
  const wanted = { orders, connectionId, options: NO_OPTIONS, anew: false, private: false } as const;
  const reply = await user.ask<Accepted>({ type: 'shorten', ...wanted });
  if (!reply.ok) throw new Error(`${count} requests were not accepted: ${JSON.stringify(reply)}`);
  queue.orders.push(...orders);
}
