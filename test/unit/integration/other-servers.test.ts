import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chanceFrom } from '../../../scripts/torture/random-choices.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import type { ServiceKind } from '../../../src/servers/adapter.ts';
import { FakeChhoto } from '../servers/fakes/fake-chhoto.ts';
import { FakeKutt } from '../servers/fakes/fake-kutt.ts';
import type { Disturbance, FakeServer } from '../servers/fakes/fake-server.ts';
import { FakeShlink } from '../servers/fakes/fake-shlink.ts';
import { FakeSink } from '../servers/fakes/fake-sink.ts';
import { FakeYourls } from '../servers/fakes/fake-yourls.ts';
import { says } from '../servers/misbehaving-server.ts';
import type { Computer } from './simulation/computer.ts';
import { diskNow } from './simulation/disk-now.ts';
import { replaceGlobals } from './simulation/globals.ts';
import { OneComputer } from './simulation/one-computer.ts';
import { tell } from './simulation/tell-background.ts';

vi.mock('../../../src/browser/browser.ts', () => import('./simulation/simulated-browser.ts'));

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
const FAULTS = 8;
const MINUTE = 60_000;
const DAY = 86_400_000;
const DISTURBANCES: [Disturbance | null, ...Disturbance[]] = [null, 'lost_before', 'lost_after', 'truncated'];

const overHttp = globalThis.fetch;

beforeAll(() => replaceGlobals());

describe.each(FAKES)('a server of the kind %s', (kind, newFake) => {
  let fake: FakeServer;

  beforeEach(async () => {
    fake = newFake();
    await fake.start();
  });
  afterEach(() => fake.stop());

  /** Connects a computer to the server. Requests are real, but time passes only while none is open. */
  async function connected(seed: number) {
    const chance = chanceFrom(seed);
    const world = new OneComputer(chance);
    const { agenda, work } = world;
    Object.defineProperty(fake, 'now', { get: () => agenda.now });
    const fetch = async (_computer: Computer, url: string, init: RequestInit) => {
      work.begin();
      try {
        const answer = await overHttp(url, init);
        return new Response(await answer.text(), answer);
      } finally {
        work.end();
      }
    };
    const computer = await world.start('one', fetch);
    const { baseUrl, apiKey } = fake;
    await tell(computer, { type: 'save-connection', connectionId: null, name: '', baseUrl, apiKey }, () => {});
    const shorten = (...urls: string[]) => {
      const orders = urls.map((url, index) => ({ id: `${url}-${index}`, url, title: '' }));
      return tell(
        computer,
        { type: 'shorten', orders, connectionId: null, options: NO_OPTIONS, anew: false },
        () => {},
      );
    };
    return { chance, computer, shorten, pass: (ms: number) => agenda.runUntil(agenda.now + ms) };
  }

  test('is recognized although a gateway answered the first probe', async () => {
    fake.gateway = says(200, '<h1>Log in to the hotel</h1>');
    const { computer, shorten, pass } = await connected(1);
    await shorten('https://example.com/');
    fake.gateway = null;
    await tell(computer, { type: 'retry', id: 'https://example.com/-0', isUncertain: true }, () => {});
    await pass(DAY);
    expect(diskNow().connections).toMatchObject([{ kind }]);
    expect(fake.links).toHaveLength(1);
  });

  test.each(SEEDS)('has one link for each accepted request after crashes and lost answers (seed %i)', async (seed) => {
    const { chance, computer, shorten, pass } = await connected(seed);
    const urls = Array.from({ length: 5 }, (_, index) => `https://example.com/${seed}/${index}?a=b`);
    for (const part of [urls.slice(0, 2), urls.slice(2)]) await shorten(...part);
    for (let faults = 0; faults < FAULTS; faults += 1) {
      fake.disturbance = chance.pick(DISTURBANCES);
      fake.gateway = chance.next() < 0.2 ? says(502, '<h1>Bad gateway</h1>') : null;
      computer.planFault();
      if (chance.next() < 0.3) computer.kill();
      await computer.wakeUp();
      await pass(chance.between(0, MINUTE));
    }
    fake.disturbance = null;
    fake.gateway = null;
    computer.kill();
    await computer.wakeUp();
    await pass(9 * DAY);
    const { requests, links, connections } = diskNow();
    expect(connections).toMatchObject([{ kind }]);
    expect(fake.links.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(requests).toEqual([]);
    const codeOf = new Map(fake.links.map(({ url, shortCode }) => [url, shortCode]));
    expect(links.map(({ url, shortCode }) => [url, shortCode]).toSorted()).toEqual([...codeOf].toSorted());
  });
});
