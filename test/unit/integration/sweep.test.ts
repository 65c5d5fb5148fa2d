import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createBackground } from '../../../src/background/create-background.ts';
import { newQueue } from '../../../src/queue/user-actions.ts';
import { specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { GRANTED_LOCKS } from '../support/locks.ts';
import { FAULTS, type Fault, faultsAt, Gate } from './sweep/gate.ts';
import { guardBrowser } from './sweep/guard-browser.ts';
import { guardDatabase } from './sweep/guard-database.ts';
import { brokenPromises } from './sweep/promises.ts';
import { SweepService } from './sweep/service.ts';
import { World } from './sweep/world.ts';

/*
 * Sends a request once per external call and fault: the call fails or the background worker dies. After each fault, a
 * new worker starts, and the test checks that all promises to the user are kept. SQLite tests I/O errors in the same
 * manner. The simulation combines faults at random.
 */

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const gate = new Gate();
let world = new World(gate, new SweepService('full'), createBackground);

beforeAll(() => {
  vi.spyOn(Date, 'now').mockImplementation(() => world.timers.now);
  vi.spyOn(performance, 'now').mockImplementation(() => world.timers.monotonic());
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const) {
    const timer = (first: never, ms?: number) => world.timers.globals[name](first, ms);
    vi.stubGlobal(name, timer);
  }
  const clipboard = { writeText: () => gate.call('clipboard.writeText', async () => undefined) };
  vi.stubGlobal('navigator', { locks: GRANTED_LOCKS, clipboard, onLine: true });
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) =>
    gate.call(`fetch ${init.method ?? 'GET'}`, () => world.fetch(url, init)),
  );
  browser.alarms.create.mockImplementation(async (_name, { delayInMinutes }) => {
    world.alarmAt = Date.now() + delayInMinutes * 60_000;
  });
  browser.alarms.clear.mockImplementation(async () => {
    world.alarmAt = null;
    return true;
  });
  guardBrowser(gate);
  guardDatabase(gate, () => world.committed());
});

type Kind = 'full' | 'spec-only';

/**
 * Sends a request to a service, with one fault at call number `at` or without faults. Returns the calls and the broken
 * promises.
 */
async function play(kind: Kind, fault: { at: number; how: Fault } | null) {
  freshDisk();
  const service = new SweepService(kind);
  world = new World(gate, service, createBackground);
  gate.revive();
  const { store, database } = await openStore();
  const queues = [newQueue({ ...specOnly, baseUrl: service.baseUrl, service: service.info })];
  const all = { queues, apiKeys: new Map([[specOnly.id, service.apiKey]]) };
  await store.updateAll(() => ({ all, result: null }));
  database.close();
  gate.arm(fault);
  await world.shorten('a');
  await world.pass(5_000);
  const { calls } = gate;
  await world.recover();
  return { calls, broken: brokenPromises(world) };
}

describe.each<Kind>(['full', 'spec-only'])('a request to a service of the kind %s', (kind) => {
  let calls: string[] = [];

  test('keeps every promise without faults', async () => {
    const played = await play(kind, null);
    calls = played.calls;
    expect(played.broken).toEqual([]);
    expect(calls.length).toBeGreaterThan(40);
  });

  test.each(FAULTS)(
    'keeps every promise with the fault "%s" at any external call',
    { timeout: 120_000 },
    async (how) => {
      const found: string[] = [];
      for (const [index, name] of calls.entries()) {
        if (!faultsAt(name).includes(how)) continue;
        const { broken } = await play(kind, { at: index + 1, how });
        found.push(...broken.map((promise) => `call ${index + 1} (${name}): ${promise}`));
      }
      expect(found).toEqual([]);
    },
  );
});
