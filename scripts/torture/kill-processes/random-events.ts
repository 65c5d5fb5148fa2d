import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Accepted } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import type { Backend } from '../../../test/e2e/harness/backend.ts';
import type { Gate } from '../../../test/e2e/harness/proxies.ts';
import type { SpecOnlyService } from '../../../test/e2e/harness/spec-only-service.ts';
import type { Chance } from '../random-choices.ts';
import type { Order } from './find-broken-promises.ts';
import type { SimulatedUser } from './simulated-user.ts';

/** The user's requests to one service. */
export interface Queue {
  connectionId: string;
  orders: Order[];
}

/** A user with two services. Only `backend`, which is behind `gate`, supports idempotency keys. */
export interface RunState {
  chance: Chance;
  user: SimulatedUser;
  backend: Backend;
  gate: Gate;
  service: SpecOnlyService;
  idempotent: Queue;
  specOnly: Queue;
  kills: Record<'background' | 'browser' | 'service', number>;
}

const EVENTS = ['nothing', 'order', 'order', 'again', 'pause', 'pause', 'background', 'browser', 'service'] as const;

const GATE_MANNERS = ['right', 'right', 'drop-before', 'drop-after', 'cut', 'hold'] as const;
const SPEC_ONLY_MANNERS = [
  'right',
  'right',
  'right',
  'drop-before',
  'drop-after',
  'html-500',
  'garbage',
  'limited-retry-after',
  'hang',
] as const;

/** Changes how both services fail, and then lets the user act or kills a process. */
export async function performRandomEvent(state: RunState): Promise<void> {
  const { chance, gate, service, idempotent, specOnly } = state;
  gate.manner = chance.pick(GATE_MANNERS);
  service.manner = chance.pick(SPEC_ONLY_MANNERS);
  await pause(chance.between(0, 2_000));
  const event = chance.pick(EVENTS);
  if (event === 'again') await sendAgain(state);
  if (event === 'pause') await pauseQueue(state);
  if (event === 'background' || event === 'browser' || event === 'service') await kill(state, event);
  if (event === 'order') {
    const ordered = order(state, chance.pick([idempotent, specOnly]), chance.between(1, 4));
    // Usually kills the background worker or the browser while the extension accepts a request.
    const victim = chance.pick([null, 'background', 'browser'] as const);
    const killed = pause(chance.between(0, 40)).then(() => victim && kill(state, victim));
    await Promise.all([ordered, killed]);
  }
}

/**
 * Clicks "Send again" for all requests with an unknown result, while the earlier attempt may still succeed. A service
 * with idempotency keys must still create only one link.
 */
export async function sendAgain({ user, idempotent }: RunState): Promise<void> {
  const own = new Set(idempotent.orders.map(({ id }) => id));
  const { requests } = await user.disk();
  const unknown = requests.filter(({ id, state }) => own.has(id) && ['unknown', 'uncertain'].includes(state));
  for (const { id } of unknown) await user.ask({ type: 'retry', id, isUncertain: true });
}

/** Pauses a queue for a random time, and usually kills a process in the meantime. */
async function pauseQueue(state: RunState): Promise<void> {
  const { chance, user, idempotent, specOnly } = state;
  const { connectionId } = chance.pick([idempotent, specOnly]);
  await user.ask({ type: 'set-paused', connectionId, isPaused: true });
  const victim = chance.pick([null, 'background', 'browser', 'service'] as const);
  if (victim) await kill(state, victim);
  await pause(chance.between(0, 1_000));
  await user.ask({ type: 'set-paused', connectionId, isPaused: false });
}

async function kill({ chance, user, backend, kills }: RunState, victim: keyof RunState['kills']): Promise<void> {
  kills[victim] += 1;
  if (victim === 'background') await user.killBackground();
  if (victim === 'browser') await user.killBrowser();
  if (victim !== 'service') return;
  await backend.kill();
  await pause(chance.between(0, 2_000));
  await backend.start();
}

/**
 * Submits `count` new URLs in one message. Repeats the message until the background worker answers. Throws if the
 * extension does not accept the URLs.
 */
export async function order({ user }: RunState, queue: Queue, count: number): Promise<void> {
  const { connectionId } = queue;
  const orders = Array.from({ length: count }, () => randomUUID()).map((id) => ({
    id,
    url: `https://www.example.com/${id}`,
    title: '',
  }));
  const wanted = { orders, connectionId, options: NO_OPTIONS, anew: false } as const;
  const reply = await user.ask<Accepted>({ type: 'shorten', ...wanted });
  if (!reply.ok) throw new Error(`${count} requests were not accepted: ${JSON.stringify(reply)}`);
  queue.orders.push(...orders);
}
