import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chanceFrom } from '../../../scripts/torture/random-choices.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import type { VisibleQueues } from '../../../src/queue/types.ts';
import type { Computer } from './simulation/computer.ts';
import { diskNow } from './simulation/disk-now.ts';
import { FAULTS, type Fault, faultsAt } from './simulation/gate.ts';
import { replaceGlobals } from './simulation/globals.ts';
import { OneComputer } from './simulation/one-computer.ts';
import { Promises } from './simulation/promises.ts';
import { BASE_URL, Service } from './simulation/service.ts';
import { tell } from './simulation/tell-background.ts';

/*
 * Sends a request once per external call and fault: the call fails or the background worker dies. After each fault, a
 * new worker starts, and the test checks that all promises to the user are kept. SQLite tests I/O errors in the same
 * manner. The simulation combines faults at random.
 */

vi.mock('../../../src/browser/browser.ts', () => import('./simulation/simulated-browser.ts'));

beforeAll(() => replaceGlobals());

const SECOND = 1_000;
const DAY = 86_400_000;

describe.each(['full', 'spec-only'] as const)('a request to a service of the kind %s', (kind) => {
  const chance = chanceFrom(1);
  const world = new OneComputer(chance);
  const { agenda } = world;
  let service: Service;
  let promises: Promises;
  let calls: string[] = [];
  let plays = 0;

  beforeAll(async () => {
    await world.start('installer', fetch);
    service = await Service.start({
      clock: () => agenda.now,
      random: (count) => Uint8Array.from({ length: count }, () => chance.between(0, 255)),
      work: world.work,
      forgetsKeys: kind === 'spec-only',
      hasFewCodes: false,
      hasNoLimits: false,
    });
  });
  afterAll(() => service.stop());

  /** Sends a request to the service. One that only follows the specification has nothing but the endpoint for it. */
  async function fetch(computer: Computer, url: string, init: RequestInit): Promise<Response> {
    const { method = 'GET', headers, body } = init;
    const { pathname: path } = new URL(url);
    if (kind === 'spec-only' && method !== 'POST') return new Response('<h1>Not found</h1>', { status: 404 });
    const request = {
      method,
      path,
      headers: Object.fromEntries(new Headers(headers)),
      body: body ? String(body) : null,
    };
    return computer.gate.call(`fetch ${method}`, async () => {
      if (method === 'POST') promises.departed(computer, request);
      const answer = await service.handle(request);
      if (method === 'POST') promises.arrived(request, answer);
      return new Response(answer.body, answer);
    });
  }

  /** Sends a request, with one fault at call number `at` or without faults. Returns the broken promises. */
  async function play(fault: { at: number; how: Fault } | null): Promise<string[]> {
    plays += 1;
    promises = new Promises(service, () => agenda.now);
    const computer = await world.start(`computer-${plays}`, fetch, (one) => promises.diskChanged(one));
    const apiKey = await service.newKey();
    await tell(
      computer,
      { type: 'save-connection', connectionId: null, name: '', baseUrl: BASE_URL, apiKey },
      () => {},
    );
    await agenda.runUntil(agenda.now + 60 * SECOND);
    const url = `https://x.example/${plays}`;
    const order = promises.add(computer, `order-${plays}`, url);
    const orders = [{ id: order.id, url, title: '' }];
    // The order wakes a new worker, so that its start is part of the sweep.
    computer.kill();
    computer.gate.arm(fault);
    await tell(computer, { type: 'shorten', orders, connectionId: null, options: NO_OPTIONS, anew: false }, () => {
      order.state = 'accepted';
    });
    await agenda.runUntil(agenda.now + 5 * SECOND);
    calls = fault ? calls : computer.gate.calls;
    computer.kill();
    await computer.wakeUp();
    await agenda.runUntil(agenda.now + DAY);
    if (order.state !== 'accepted') promises.broken.add('every message succeeds after all faults have ended');
    await tell(computer, { type: 'read-queues' }, (view) => promises.ended(computer, view as VisibleQueues));
    // The service with all features recognizes repeated requests.
    if (kind === 'full' && diskNow().requests.length > 0) promises.broken.add('every request leads to a link');
    if (order.link && service.urlOf(order.link.shortCode ?? '') !== url) promises.broken.add('each link exists');
    computer.turnOff();
    return [...promises.broken];
  }

  test('keeps every promise without faults', async () => {
    expect(await play(null)).toEqual([]);
    expect(calls.length).toBeGreaterThan(30);
  });

  test.each(FAULTS)(
    'keeps every promise with the fault "%s" at any external call',
    { timeout: 120_000 },
    async (how) => {
      const found: string[] = [];
      for (const [index, name] of calls.entries()) {
        if (!faultsAt(name).includes(how)) continue;
        const broken = await play({ at: index + 1, how });
        found.push(...broken.map((promise) => `call ${index + 1} (${name}): ${promise}`));
      }
      expect(found).toEqual([]);
    },
  );
});
