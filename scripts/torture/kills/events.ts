import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Accepted } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import type { Queue, Story } from './story.ts';

const EVENTS = [
  ...(['nothing', 'nothing', 'again', 'order', 'order'] as const),
  ...(['hold', 'hold', 'background', 'browser', 'service'] as const),
] as const;

/** Fills the queues first, so that the first kills can already lose requests. */
export async function fillQueues(story: Story): Promise<void> {
  await order(story, story.idempotent, 10);
  await order(story, story.specOnly, 10);
}

export async function playEvent(story: Story): Promise<void> {
  const { chance, services, idempotent, specOnly } = story;
  services.changeWeather(chance);
  await pause(chance.between(0, 2_000));
  const event = chance.pick(EVENTS);
  if (event === 'again') await sendAgain(story);
  if (event === 'hold') await hold(story);
  if (event === 'background' || event === 'browser' || event === 'service') await kill(story, event);
  if (event === 'order') {
    const ordered = order(story, chance.pick([idempotent, specOnly]), chance.between(1, 4));
    // Often kills the background worker or the browser while the extension accepts a request.
    const victim = chance.pick([null, 'background', 'browser'] as const);
    await pause(chance.between(0, 40));
    if (victim) await kill(story, victim);
    await ordered;
  }
}

/**
 * Presses "Send again" while the earlier attempt may still succeed. A service with idempotency keys must still create
 * only one link.
 */
async function sendAgain({ chance, player, idempotent }: Story): Promise<void> {
  const left = (await player.disk()).requests.filter(
    ({ id, state }) =>
      (state === 'unanswered' || state === 'undecided') && idempotent.orders.some((order) => order.id === id),
  );
  // Uses a random number even if no request exists, so that the same seed leads to the same later events.
  const chosen = left[Math.floor(chance.next() * left.length)];
  if (chosen) await player.ask({ type: 'retry', id: chosen.id });
}

/** Pauses a queue for a random time. Meanwhile, the background worker, the browser or the service may be killed. */
async function hold(story: Story): Promise<void> {
  const { chance, player, idempotent, specOnly } = story;
  const { connectionId } = chance.pick([idempotent, specOnly]);
  await player.ask({ type: 'set-paused', connectionId, isPaused: true });
  const victim = chance.pick([null, 'background', 'browser', 'service'] as const);
  if (victim) await kill(story, victim);
  await pause(chance.between(0, 1_000));
  await player.ask({ type: 'set-paused', connectionId, isPaused: false });
}

async function kill({ chance, player, services, kills }: Story, victim: keyof Story['kills']): Promise<void> {
  kills[victim] += 1;
  if (victim === 'background') await player.killBackground();
  if (victim === 'browser') await player.killBrowser();
  if (victim === 'service') await services.killBackend(chance.between(0, 2_000));
}

/** Sends a list of `count` new URLs until the extension accepts the list. */
async function order({ player }: Story, queue: Queue, count: number): Promise<void> {
  const { connectionId } = queue;
  const orders = Array.from({ length: count }, () => randomUUID()).map((id) => ({
    id,
    url: `https://www.example.com/${id}`,
    title: '',
  }));
  const wanted = { orders, connectionId, options: NO_OPTIONS, anew: false, private: false } as const;
  const reply = await player.ask<Accepted>({ type: 'shorten', ...wanted });
  if (!reply.ok) throw new Error(`${count} orders were answered ${JSON.stringify(reply)}`);
  queue.orders.push(...orders);
}
