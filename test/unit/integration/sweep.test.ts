import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ALL_TESTS } from '../../../scripts/test/which-tests.ts';
import { createBackground } from '../../../src/background/create-background.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { GRANTED_LOCKS } from '../support/locks.ts';
import { FAULTS, type Fault, faultsAt, Gate } from './sweep/gate.ts';
import { guardBrowser } from './sweep/guard-browser.ts';
import { guardDatabase } from './sweep/guard-database.ts';
import { brokenPromises } from './sweep/promises.ts';
import { SCENARIOS, type Scenario } from './sweep/scenarios.ts';
import { World } from './sweep/world.ts';

/*
 * Repeats each scenario once per external call and fault: the call fails or the background worker dies. After each
 * fault, a new worker starts, and the test checks that all promises to the user are kept. SQLite tests I/O errors in
 * the same manner.
 */

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const gate = new Gate();
let world = new World(gate, createBackground);

beforeAll(() => {
  vi.spyOn(Date, 'now').mockImplementation(() => world.timers.now);
  vi.spyOn(performance, 'now').mockImplementation(() => world.timers.monotonic());
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const) {
    const timer = (first: never, ms?: number) => world.timers.globals[name](first, ms);
    vi.stubGlobal(name, timer);
  }
  const clipboard = { writeText: () => gate.call('clipboard.writeText', async () => undefined) };
  vi.stubGlobal('navigator', {
    locks: GRANTED_LOCKS,
    clipboard,
    get onLine() {
      return world.online;
    },
  });
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

/**
 * Runs a scenario, with one fault at call number `at` or without faults. Returns the calls and the broken promises.
 */
async function play({ given, play }: Scenario, fault: { at: number; how: Fault } | null) {
  freshDisk();
  world = new World(gate, createBackground);
  gate.revive();
  await given(world);
  gate.arm(fault);
  await play(world);
  const { calls } = gate;
  await world.recover();
  return { calls, broken: brokenPromises(world) };
}

describe.each(ALL_TESTS ? SCENARIOS : SCENARIOS.slice(0, 2))('$name', (scenario) => {
  let calls: string[] = [];

  test('keeps every promise without faults', async () => {
    const played = await play(scenario, null);
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
        const { broken } = await play(scenario, { at: index + 1, how });
        found.push(...broken.map((promise) => `call ${index + 1} (${name}): ${promise}`));
      }
      expect(found).toEqual([]);
    },
  );
});
