import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chanceFrom } from '../../../scripts/torture/random-choices.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import type { Connection } from '../../../src/queue/types.ts';
import { newQueue } from '../../../src/queue/user-actions.ts';
import type { ServiceKind } from '../../../src/servers/adapter.ts';
import { DAY, NOW, specOnly } from '../queue/support/queue-builders.ts';
import { FakeChhoto } from '../servers/fakes/fake-chhoto.ts';
import { FakeKutt } from '../servers/fakes/fake-kutt.ts';
import type { Disturbance, FakeServer } from '../servers/fakes/fake-server.ts';
import { FakeShlink } from '../servers/fakes/fake-shlink.ts';
import { FakeSink } from '../servers/fakes/fake-sink.ts';
import { FakeYourls } from '../servers/fakes/fake-yourls.ts';
import { says } from '../servers/misbehaving-server.ts';
import { freshDisk } from '../support/disk.ts';
import { type Fate, MortalWorker } from './mortal-worker.ts';
import { diskNow } from './sweep/disk-now.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

/*
 * Kills background workers and loses answers while requests are sent to servers of other kinds, over real HTTP. Each
 * accepted request must lead to exactly one link.
 */

const FAKES: [kind: ServiceKind, newFake: () => FakeServer][] = [
  ['kutt', () => new FakeKutt()],
  ['yourls', () => new FakeYourls()],
  ['sink', () => new FakeSink()],
  ['shlink', () => new FakeShlink()],
  ['chhoto', () => new FakeChhoto()],
];
const SEEDS = [1, 2, 3, 4, 5, 6];
const COMMAND = { connectionId: 'c', options: NO_OPTIONS, anew: false, source: 'popup' } as const;
const DISTURBANCES: (Disturbance | null)[] = ['lost_before', 'lost_after', 'truncated', null];

describe.each(FAKES)('a server of the kind %s', (kind, newFake) => {
  let fake: FakeServer;

  beforeEach(async () => {
    freshDisk();
    fake = newFake();
    await fake.start();
  });
  afterEach(() => fake.stop());

  /** Stores a connection to the fake. The first probe detects its kind. */
  async function connect(worker: MortalWorker, part: Partial<Connection> = {}): Promise<void> {
    const connection = { ...specOnly, baseUrl: fake.baseUrl, serviceReadAt: null, ...part };
    const apiKeys = new Map([['c', fake.apiKey]]);
    await worker.store.updateAll(() => ({
      all: { queues: [newQueue(connection)], apiKeys },
      result: null,
    }));
  }

  /** Runs the worker until the time is over or nothing is due. */
  async function runFor(ms: number, worker: MortalWorker, fate: Fate): Promise<void> {
    const end = fate.now + ms;
    while (fate.now < end) {
      fake.now = fate.now;
      await worker.run();
      fate.now += Math.max(1, Math.min(worker.dueIn ?? DAY, end - fate.now));
    }
  }

  test('is recognized although a gateway answered the first probe', async () => {
    const fate: Fate = { now: NOW, clockError: 0, chance: () => 0.5 };
    const worker = new MortalWorker(fate, Number.POSITIVE_INFINITY);
    await connect(worker);
    fake.gateway = says(200, '<h1>Log in to the hotel</h1>');
    await worker.commands.shorten({ ...COMMAND, orders: [{ id: 'r', url: 'https://example.com/', title: '' }] });
    fake.now = fate.now;
    await worker.run();
    fake.gateway = null;
    await worker.commands.retry('r');
    await runFor(DAY, worker, fate);
    expect(diskNow().connections).toMatchObject([{ kind }]);
    expect(fake.links).toHaveLength(1);
  });

  test.each(SEEDS)('has one link for each accepted request after crashes and lost answers (seed %i)', async (seed) => {
    const chance = chanceFrom(seed).next;
    const fate: Fate = { now: NOW, clockError: 0, chance };
    let worker = new MortalWorker(fate, Number.POSITIVE_INFINITY);
    await connect(worker);
    const urls = Array.from({ length: 5 }, (_, index) => `https://example.com/${seed}/${index}?a=b`);
    const orders = urls.map((url, index) => ({ id: `r${index}`, url, title: '' }));
    for (const part of [orders.slice(0, 2), orders.slice(2)])
      expect((await worker.commands.shorten({ ...COMMAND, orders: part })).ok).toBe(true);

    let deaths = 8;
    while (fate.now < NOW + 9 * DAY) {
      fake.now = fate.now;
      if (deaths > 0) fake.disturbance = DISTURBANCES[Math.floor(chance() * DISTURBANCES.length)] ?? null;
      fake.gateway = deaths > 0 && chance() < 0.2 ? says(502, '<h1>Bad gateway</h1>') : null;
      const ended = await worker.run();
      fate.now += ended === 'died' ? 2_000 : Math.max(1, worker.dueIn ?? DAY);
      if (deaths === 0) continue;
      deaths -= 1;
      worker.end();
      worker = new MortalWorker(fate, deaths > 0 ? 1 + Math.floor(chance() * 50) : Number.POSITIVE_INFINITY);
    }

    const { requests, links, connections } = diskNow();
    expect(connections).toMatchObject([{ kind }]);
    expect(fake.links.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(requests).toEqual([]);
    const codeOf = new Map(fake.links.map(({ url, shortCode }) => [url, shortCode]));
    expect(links.map(({ url, shortCode }) => [url, shortCode]).toSorted()).toEqual([...codeOf].toSorted());
  });
});
