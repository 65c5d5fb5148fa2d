import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Accepted } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { FakeChhoto } from '../../../test/unit/servers/chhoto/fake-chhoto.ts';
import type { Disturbance, FakeServer } from '../../../test/unit/servers/conformance/fake-server.ts';
import { FakeKutt } from '../../../test/unit/servers/kutt/fake-kutt.ts';
import { hangsUp, says } from '../../../test/unit/servers/misbehaving-server.ts';
import { FakeShlink } from '../../../test/unit/servers/shlink/fake-shlink.ts';
import { FakeSink } from '../../../test/unit/servers/sink/fake-sink.ts';
import { FakeYourls } from '../../../test/unit/servers/yourls/fake-yourls.ts';
import { type Chance, chanceFrom } from '../random-choices.ts';
import type { Findings } from '../random-test.ts';
import { connect } from './connect.ts';
import { brokenAtIdempotent, type Order } from './find-broken-promises.ts';
import { type BrowserKind, type SimulatedUser, startSimulatedUser } from './simulated-user.ts';

const EVENTS = 20;

/** Time limit in milliseconds for sending all requests to fault-free servers. */
const QUEUE_TIMEOUT = 180_000;

const DISTURBANCES: [null, ...Disturbance[]] = [null, 'lost_before', 'lost_after', 'truncated'];

const GATEWAYS: [null, ...FakeServer['gateway'][]] = [
  null,
  null,
  null,
  says(502, '<h1>Bad gateway</h1>'),
  says(200, '<h1>Log in to the hotel</h1>'),
  hangsUp,
];

interface Target {
  kind: string;
  fake: FakeServer;
  connectionId: string;
  orders: Order[];
}

interface RunState {
  chance: Chance;
  user: SimulatedUser;
  targets: [Target, ...Target[]];
  kills: number;
}

/**
 * Sends requests to fake Kutt, YOURLS, Sink, Shlink and chhoto-url servers and makes these servers fail at random.
 * Also kills the browser and its background worker at random times.
 */
export async function runWithOtherServers(browser: BrowserKind, seed: number): Promise<Findings> {
  const fakes = { kutt: new FakeKutt(), yourls: new FakeYourls(), sink: new FakeSink() };
  const all: [string, FakeServer][] = Object.entries({ ...fakes, shlink: new FakeShlink(), chhoto: new FakeChhoto() });
  for (const [, fake] of all) {
    // The fake server must use the real time, as the browser does.
    Object.defineProperty(fake, 'now', { get: () => Date.now() });
    await fake.start();
  }
  const user = await startSimulatedUser(browser);
  try {
    const connected = async ([kind, fake]: [string, FakeServer]): Promise<Target> => {
      const connectionId = await connect(user, fake.baseUrl, fake.apiKey);
      return { kind, fake, connectionId, orders: [] };
    };
    const [first, ...others] = all;
    if (!first) throw new Error('There is a kind.');
    const targets: RunState['targets'] = [await connected(first)];
    for (const other of others) targets.push(await connected(other));
    return await runOnce({ chance: chanceFrom(seed), user, targets, kills: 0 });
  } finally {
    await user.end();
    await Promise.all(all.map(([, fake]) => fake.stop()));
  }
}

async function runOnce(state: RunState): Promise<Findings> {
  const { chance, targets } = state;
  for (const target of targets) await order(state, target, 3);
  for (let event = 0; event < EVENTS; event += 1) {
    for (const { fake } of targets) {
      fake.disturbance = chance.pick(DISTURBANCES);
      fake.gateway = chance.pick(GATEWAYS);
    }
    await performEvent(state);
  }
  for (const { fake } of targets) Object.assign(fake, { disturbance: null, gateway: null });
  const broken = await untilEmpty(state);
  const accepted = targets.map(({ kind, orders }) => `${orders.length} to ${kind}`).join(', ');
  return { broken, summary: `${accepted} accepted, ${state.kills} kills` };
}

async function performEvent(state: RunState): Promise<void> {
  const { chance, targets } = state;
  await pause(chance.between(0, 2_000));
  const event = chance.pick(['order', 'order', 'kill', 'nothing'] as const);
  const target = chance.pick(targets);
  const count = chance.between(1, 4);
  const delay = chance.between(0, 40);
  if (event === 'kill') await kill(state);
  if (event === 'order') {
    const ordered = order(state, target, count);
    // The delay is so short that the extension is often still accepting a request when `kill` runs.
    await pause(delay);
    if (chance.next() < 0.5) await kill(state);
    await ordered;
  }
}

async function kill(state: RunState): Promise<void> {
  const { chance, user } = state;
  state.kills += 1;
  // Usually kills the background worker instead of the browser, because starting a browser takes much longer.
  if (chance.next() < 0.75) await user.killBackground();
  else await user.killBrowser();
}

/**
 * Submits `count` new URLs in one message. Repeats the message until the background worker answers. Throws if the
 * extension does not accept the URLs.
 */
async function order({ user }: RunState, { connectionId, orders }: Target, count: number): Promise<void> {
  const added = Array.from({ length: count }, () => randomUUID()).map((id) => ({
    id,
    url: `https://www.example.com/${id}`,
    title: '',
  }));
  const wanted = { orders: added, connectionId, options: NO_OPTIONS, anew: false, private: false } as const;
  const reply = await user.ask<Accepted>({ type: 'shorten', ...wanted });
  if (!reply.ok) throw new Error(`${count} requests were not accepted: ${JSON.stringify(reply)}`);
  orders.push(...added);
}

/** Waits until all requests have been sent. The simulated user makes all necessary decisions. */
async function untilEmpty({ user, targets }: RunState): Promise<string[]> {
  const isEmpty = async () => {
    const { requests } = await user.disk();
    for (const { id, state } of requests) {
      if (state === 'unanswered' || state === 'undecided') await user.ask({ type: 'retry', id });
    }
    for (const { connectionId } of requests.length > 0 ? targets : [])
      await user.ask({ type: 'try-now', connectionId });
    if (requests.length > 0) await pause(1_000);
    return requests.length === 0;
  };
  await until('the queues to be empty', isEmpty, QUEUE_TIMEOUT).catch(() => {});
  const disk = await user.disk();
  return targets.flatMap(({ kind, fake, orders }) => {
    const made = fake.links.map(({ url }) => url);
    return brokenAtIdempotent(orders, disk, made).map((sentence) => `${kind}: ${sentence}`);
  });
}
