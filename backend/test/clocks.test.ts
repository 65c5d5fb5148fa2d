import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyDocument, Link } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKey } from '../src/commands/key-and-link-commands.ts';
import { dayOf } from '../src/domain/analytics/calendar.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import type { Store } from '../src/store/open-store.ts';
import { openStore } from '../src/store/open-store.ts';
import { awayFromMidnight, otherClock } from './support/clock.ts';
import { PATIENT, PATIENT_PROCESS } from './support/patient.ts';
import { postgres } from './support/postgres.ts';
import { type ServeProcess, startServe } from './support/process.ts';
import { post } from './support/service.ts';
import type { TestDatabase } from './support/store.ts';

const AHEAD = 1.5;
const DAY = 86_400_000;
const TARGET = { url: 'https://example.com/' };

let folder: string;
let database: TestDatabase;
let store: Store;
let processes: ServeProcess[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-clocks-'));
  database = await postgres.create();
  store = await openStore({ engine: 'postgres', url: database.address, connections: 2, timeout: PATIENT }, Date.now());
  const serve = (clock: Record<string, string>) =>
    startServe(folder, { ...PATIENT_PROCESS, TERSE_DATABASE: database.address, ...clock });
  processes = await Promise.all([serve({}), serve(otherClock(AHEAD))]);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.end('SIGTERM')));
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const newKey = (throttle: number) =>
  createKey(store, systemRandom, { name: 'test', throttle, quota: 1000 }, Date.now());
/** Sends each request to the next process in turn. */
const create = (at: number, key: string) => fetch(`${processes[at % 2]?.addresses.api}/api/v1/urls`, post(key, TARGET));

describe('two processes whose clocks differ', () => {
  it('report times that differ by at least a second', async () => {
    const now = async (at: number) => {
      const answer = await fetch(`${processes[at]?.addresses.api}/healthz`);
      return Date.parse(answer.headers.get('date') ?? '');
    };
    // The requests run one after another, because the reported seconds are rounded and the clocks differ.
    const [behind, ahead] = [await now(0), await now(1)];
    expect(ahead - behind).toBeGreaterThanOrEqual(1000);
  });

  it('enforce the throttle of a key together', async () => {
    const key = await newKey(1);
    const made: number[] = [];
    for (let asked = 0; made.length < 3; asked += 1) {
      const answer = await create(asked, key);
      if (answer.status === 201) made.push(Date.parse(Link.parse(await answer.json()).createdAt));
      else expect(answer.status).toBe(429);
    }
    for (const [at, instant] of made.slice(1).entries()) {
      expect(instant - (made[at] as number)).toBeGreaterThanOrEqual(1000);
    }
  });

  it('roll up counts by the database’s clock', async () => {
    await awayFromMidnight();
    const today = dayOf(Date.now());
    vi.useFakeTimers({ now: Date.now() + 100 * DAY, toFake: ['Date'] });
    try {
      expect(dayOf(Date.now())).toBe(today + 100);
      expect(dayOf(await store.months.now())).toBe(today);
    } finally {
      vi.useRealTimers();
    }
  });

  it('allow each request that is sent a second after the last response from either process', async () => {
    const key = await newKey(1);
    for (let asked = 0; asked < 4; asked += 1) {
      expect((await create(asked, key)).status).toBe(201);
      await sleep(1001);
    }
  });

  it('allow a burst of one second over both processes, and report the same remaining quota', async () => {
    await awayFromMidnight();
    const key = await newKey(30);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => create(at, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
    const quotas = await Promise.all(
      processes.map(async ({ addresses }) => {
        const answer = await fetch(`${addresses.api}/api/v1/key`, { headers: { 'X-API-Key': key } });
        return KeyDocument.parse(await answer.json()).quota;
      }),
    );
    expect(quotas.map(({ remaining }) => remaining)).toEqual([970, 970]);
  });
});
