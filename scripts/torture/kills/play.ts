import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Accepted, ConnectionReport } from '../../../src/messages/messages.ts';
import { NO_OPTIONS } from '../../../src/queue/initial.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { type Chance, chanceFrom } from '../chance.ts';
import type { Findings } from '../loop.ts';
import { type BrowserKind, type Player, startPlayer } from './player.ts';
import { brokenAtIdempotent, brokenAtSpecOnly, type Order, strayKeys } from './promises.ts';
import { type Services, startServices } from './services.ts';

/** What a person has at one service. */
interface Queue {
  connectionId: string;
  orders: Order[];
}

interface Story {
  chance: Chance;
  player: Player;
  services: Services;
  idempotent: Queue;
  specOnly: Queue;
  /** How often the person said "send again" of a request at the service with the specification alone, by its URL. */
  sentAgain: Map<string, number>;
  /** How often each was killed. */
  kills: Record<'background' | 'browser' | 'service', number>;
}

const EVENTS = 30;

/** How long the queue of a service that honours keys may take to empty in fair weather, in milliseconds. */
const PATIENCE = 300_000;
/** How often the person looks whether something asks for them. */
const LOOK_EVERY = 2_000;

/** Plays one story from its seed, and holds it against every promise. */
export async function playKills(kind: BrowserKind, seed: number): Promise<Findings> {
  const [services, player] = await Promise.all([startServices(), startPlayer(kind)]);
  try {
    const { backend, gate, specOnly } = services;
    const story: Story = {
      chance: chanceFrom(seed),
      player,
      services,
      idempotent: { connectionId: await connect(player, gate.baseUrl, backend.apiKey), orders: [] },
      specOnly: { connectionId: await connect(player, specOnly.baseUrl, specOnly.apiKey), orders: [] },
      sentAgain: new Map(),
      kills: { background: 0, browser: 0, service: 0 },
    };
    await fillQueues(story);
    for (let event = 0; event < EVENTS; event += 1) await playEvent(story);
    services.clearUp();
    const before = await judgeSpecOnly(story);
    const idempotent = await untilEmpty(story);
    await sendUndecidedAgain(story);
    const broken = [...before, ...idempotent, ...(await judgeSpecOnly(story)), ...judgeKeys(services)];
    return { broken: [...new Set(broken)], played: summaryOf(story) };
  } finally {
    await Promise.all([player.end(), services.end()]);
  }
}

async function connect(player: Player, baseUrl: string, apiKey: string): Promise<string> {
  const reply = await player.ask<ConnectionReport>({
    type: 'save-connection',
    connectionId: null,
    name: '',
    baseUrl,
    apiKey,
  });
  if (!reply.ok || !reply.value.connectionId) throw new Error(`Connecting was answered ${JSON.stringify(reply)}`);
  return reply.value.connectionId;
}

/** So that there is something to lose from the first moment on. */
async function fillQueues(story: Story): Promise<void> {
  await order(story, story.idempotent, 10);
  await order(story, story.specOnly, 10);
}

async function playEvent(story: Story): Promise<void> {
  const { chance, services, idempotent, specOnly } = story;
  services.changeWeather(chance);
  await pause(chance.between(0, 2_000));
  const event = chance.pick(['nothing', 'nothing', 'again', 'order', 'order', 'background', 'browser', 'service']);
  if (event === 'again') await sendAgain(story);
  if (event === 'background' || event === 'browser' || event === 'service') await kill(story, event);
  if (event === 'order') {
    const ordered = order(story, chance.pick([idempotent, specOnly]), chance.between(1, 4));
    // Often in the very moment of the acceptance.
    const victim = chance.pick([null, 'background', 'browser'] as const);
    await pause(chance.between(0, 40));
    if (victim) await kill(story, victim);
    await ordered;
  }
}

/** The person is impatient. However often that is said to a service that honours keys, one link comes of it. */
async function sendAgain({ chance, player, idempotent }: Story): Promise<void> {
  const left = (await player.disk()).requests.filter(
    ({ id, state }) =>
      (state === 'unanswered' || state === 'undecided') && idempotent.orders.some((order) => order.id === id),
  );
  const [first, ...others] = left;
  if (first) await player.ask({ type: 'retry', id: chance.pick([first, ...others]).id });
}

async function kill({ chance, player, services, kills }: Story, victim: keyof Story['kills']): Promise<void> {
  kills[victim] += 1;
  if (victim === 'background') await player.killBackground();
  if (victim === 'browser') await player.killBrowser();
  if (victim === 'service') await services.killBackend(chance.between(0, 2_000));
}

/** Asks for so many new addresses, as one list, until it is told that they are accepted. */
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

/** Waits in fair weather until the queue of the service that honours keys is empty, and helps where the person is asked. */
async function untilEmpty({ player, services, idempotent }: Story): Promise<string[]> {
  const { connectionId, orders } = idempotent;
  const left = async () => (await player.disk()).requests.filter(({ id }) => orders.some((order) => order.id === id));
  const isEmpty = async () => {
    const requests = await left();
    for (const { id, state } of requests) {
      if (state === 'unanswered' || state === 'undecided') await player.ask({ type: 'retry', id });
    }
    if (requests.length > 0) await player.ask({ type: 'try-now', connectionId });
    if (requests.length > 0) await pause(LOOK_EVERY);
    return requests.length === 0;
  };
  await until('the queue to be empty', isEmpty, PATIENCE).catch(() => {});
  const disk = await player.disk();
  return [...brokenAtIdempotent(orders, disk, services.backend.links()), ...(await misled(disk.links, services))];
}

/** The links that do not lead where they were made for. */
async function misled(links: { url: string; shortUrl: string }[], { backend }: Services): Promise<string[]> {
  const own = links.filter(({ shortUrl }) => shortUrl.startsWith(backend.shortBaseUrl));
  const complaints: string[] = [];
  for (const { url, shortUrl } of own) {
    const answer = await fetch(shortUrl, { redirect: 'manual' });
    const target = answer.headers.get('location');
    if (target !== url) complaints.push(`${shortUrl} leads to ${target}, and was made for ${url}`);
  }
  return complaints;
}

/** The person decides about each undecided request: again. What comes of that in a minute is judged like the rest. */
async function sendUndecidedAgain({ player, services, specOnly, sentAgain }: Story): Promise<void> {
  const undecided = (await player.disk()).requests.filter(
    ({ id, state }) => state === 'undecided' && specOnly.orders.some((order) => order.id === id),
  );
  for (const { id, url } of undecided) {
    sentAgain.set(url, (sentAgain.get(url) ?? 0) + 1);
    await player.ask({ type: 'retry', id });
  }
  const before = services.specOnly.received.length;
  const isSent = () => services.specOnly.received.length >= Math.min(20, before + undecided.length);
  await until('what was asked for again to be sent', isSent, 60_000).catch(() => {});
}

async function judgeSpecOnly({ player, services, specOnly, sentAgain }: Story): Promise<string[]> {
  const { received, made } = services.specOnly;
  // In this order: what is made after this is no complaint about a disk that is read before.
  const seen = { received: [...received], made: [...made], sentAgain, stall: services.stall() };
  return brokenAtSpecOnly(specOnly.orders, await player.disk(), seen);
}

function judgeKeys({ backend, gate, specOnly }: Services): string[] {
  return [
    ...strayKeys('The backend', gate.authorizations, backend.apiKey),
    ...strayKeys('The service with the specification alone', specOnly.authorizations, specOnly.apiKey),
  ];
}

function summaryOf({ idempotent, specOnly, kills, sentAgain, services }: Story): string {
  const accepted = `${idempotent.orders.length} + ${specOnly.orders.length} accepted`;
  const killed = Object.entries(kills).map(([victim, times]) => `${victim} killed ${times} times`);
  const sends = `${services.gate.answered.length} + ${services.specOnly.received.length} sends arrived`;
  return [accepted, ...killed, sends, `${sentAgain.size} undecided`].join(', ');
}
