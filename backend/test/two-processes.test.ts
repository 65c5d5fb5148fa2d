import { setTimeout as sleep } from 'node:timers/promises';
import { BatchAnswer, KeyDocument, Link } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../src/commands/manage.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { openStore, type Store } from '../src/store/open-store.ts';
import { awayFromMidnight, otherClock } from './support/clock.ts';
import { outcome, outcomePage, preview, startImport } from './support/imports.ts';
import { postgres } from './support/postgres.ts';
import type { ServeProcess } from './support/process.ts';
import { PATIENT, PATIENT_PROCESS } from './support/program-changes.ts';
import { post } from './support/service.ts';
import { FIREFOX, type TestDatabase } from './support/store.ts';
import { folderForFile } from './support/test-folder.ts';
import { visit as browserOf, PASSWORD } from './support/visitor.ts';

const TARGET = { url: 'https://example.com/' };

const folder = folderForFile();
let database: TestDatabase;
let store: Store;
let one: ServeProcess;
let other: ServeProcess;
beforeAll(async () => {
  database = await postgres.create();
  // Both processes start at the same time on an empty database. Their clocks differ by more than a second.
  [one, other] = await Promise.all([serve(), serve(otherClock(1.5))]);
  store = await openStore({ engine: 'postgres', url: database.address, connections: 2, timeout: PATIENT }, Date.now());
});
afterAll(async () => {
  await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')]);
  await store.close();
  await database.drop();
});

const serve = (clock: Record<string, string> = {}) =>
  folder.serve({ ...PATIENT_PROCESS, TERSE_DATABASE: database.address, ...clock });
const newKey = (quota: number, throttle = 100_000) =>
  createKey(store, systemRandom, { name: 'test', throttle, quota }, Date.now());
/**
 * Creates a key and uses it once. The first use of a new key takes a lock, which would hide the effect of other
 * locks.
 */
const usedKey = async (quota: number) => {
  const key = await newKey(quota);
  await fetch(`${one.addresses.api}/api/shorten`, post(key, TARGET));
  return key;
};
/** Creates one key per request, so that no request is throttled. */
const newKeys = (count: number) => Promise.all(Array.from({ length: count }, () => newKey(1000)));
/** Sends all requests at the same time, alternating between the two processes. */
const everywhere = (count: number, path: string, ask: (at: number) => RequestInit) =>
  Promise.all(Array.from({ length: count }, (_, at) => fetch((at % 2 ? other : one).addresses.api + path, ask(at))));
/** Sends a request to one of the processes, in turn. */
const create = (at: number, key: string) =>
  fetch(`${(at % 2 ? other : one).addresses.api}/api/v1/urls`, post(key, TARGET));
const statuses = (responses: Response[]) => Object.groupBy(responses, ({ status }) => status);
const visit = ({ addresses }: ServeProcess, code: string) =>
  fetch(`${addresses.short}/${code}`, { redirect: 'manual', headers: { 'User-Agent': FIREFOX } });

it('one process imports a file that another process received and previewed', async () => {
  const ada = browserOf({ service: { addresses: one.addresses } });
  const setup = (await folder.run(['accounts', 'setup'], { TERSE_DATABASE: database.address })).stdout;
  const path = /\/welcome\/\S+/.exec(setup)?.[0] ?? '';
  expect((await ada.post(path, { name: 'Ada', password: PASSWORD, again: PASSWORD })).status).toBe(303);
  const rows = Array.from({ length: 1_000 }, (_, at) => `import-${at},https://example.com/${at}\n`);
  const html = await preview(ada, `shortCode,url\n${rows.join('')}`);
  const there = browserOf({ service: { addresses: other.addresses } });
  there.cookie = ada.cookie;
  const started = await startImport(there, html);
  expect(started.status).toBe(303);
  const page = started.headers.get('location') ?? '';
  expect(outcome(await outcomePage(ada, page))).toMatchObject({ 'New links': '1,000' });
  // Sending the form again to any process shows the same import.
  expect((await startImport(ada, html)).headers.get('location')).toBe(page);
});

describe('two processes with different clocks on one database', () => {
  it('create exactly one link for fifty simultaneous requests if the quota is one', async () => {
    await awayFromMidnight();
    const key = await usedKey(2);
    const answers = statuses(await everywhere(50, '/api/shorten', () => post(key, TARGET)));
    expect([answers[200]?.length, answers[429]?.length]).toEqual([1, 49]);
  });

  it('create each code once for batches in any order', async () => {
    const keys = await newKeys(8);
    const codes = Array.from({ length: 20 }, (_, at) => `batch-${at}`);
    const batch = (at: number) => {
      const urls = (at % 4 < 2 ? codes : codes.toReversed()).map((shortCode) => ({ ...TARGET, shortCode }));
      return post(keys[at] ?? null, { urls });
    };
    const responses = await everywhere(8, '/api/v1/urls/batch', batch);
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(207));
    const answers = await Promise.all(responses.map(async (response) => BatchAnswer.parse(await response.json())));
    const results = answers.flatMap(({ results }) => results);
    const made = results.flatMap((result) => ('link' in result ? [result.link.shortCode] : []));
    expect(made.toSorted()).toEqual(codes.toSorted());
    expect(results.filter(({ status }) => status === 409)).toHaveLength(7 * 20);
  });

  it('enforce the throttle of a key together, by the database’s clock', async () => {
    const key = await newKey(1000, 1);
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

  it('allow each request that is sent a second after the last response from either process', async () => {
    const key = await newKey(1000, 1);
    for (let asked = 0; asked < 4; asked += 1) {
      expect((await create(asked, key)).status).toBe(201);
      await sleep(1001);
    }
  });

  it('allow a burst of one second over both processes, and report the same remaining quota', async () => {
    await awayFromMidnight();
    const key = await newKey(1000, 30);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => create(at, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
    const quotas = [one, other].map(async ({ addresses }) => {
      const answer = await fetch(`${addresses.api}/api/v1/key`, { headers: { 'X-API-Key': key } });
      return KeyDocument.parse(await answer.json()).quota.remaining;
    });
    expect(await Promise.all(quotas)).toEqual([970, 970]);
  });

  it('follow an edit and a deletion of a link by either of them', async () => {
    const key = await newKey(1000);
    await fetch(`${one.addresses.api}/api/v1/urls`, post(key, { ...TARGET, shortCode: 'moving' }));
    const target = async (serving: ServeProcess) => (await visit(serving, 'moving')).headers.get('location');
    // The test visits each process twice, so that both cache the link.
    for (const serving of [one, other, one, other]) expect(await target(serving)).toBe(TARGET.url);
    const url = 'https://example.com/new';
    const edit = { ...post(key, { url }), method: 'PATCH' };
    expect((await fetch(`${one.addresses.api}/api/v1/urls/moving`, edit)).status).toBe(200);
    expect(await target(one)).toBe(url);
    let now: string | null = TARGET.url;
    while (now === TARGET.url) now = await target(other);
    expect(now).toBe(url);
    const deletion = { method: 'DELETE', headers: { 'X-API-Key': key } };
    expect((await fetch(`${one.addresses.api}/api/v1/urls/moving`, deletion)).status).toBe(204);
    expect((await visit(one, 'moving')).status).toBe(410);
    // The other process caches the link for less than a second. `link-cache.test.ts` checks the exact time.
    let status = 302;
    while (status === 302) status = (await visit(other, 'moving')).status;
    expect(status).toBe(410);
  });

  it('count the clicks of a killed process, each once', async () => {
    const key = await newKey(1000);
    await fetch(`${one.addresses.api}/api/v1/urls`, post(key, { ...TARGET, shortCode: 'orphaned' }));
    const killed = await serve();
    for (let times = 0; times < 7; times += 1) expect((await visit(killed, 'orphaned')).status).toBe(302);
    await killed.end('SIGKILL');
    await counted(key, 'orphaned', 7);
  });
});

/** Waits until a link has this number of clicks. Fails if the link has more. */
async function counted(key: string, code: string, wanted: number): Promise<void> {
  let clicks = -1;
  while (clicks < wanted) {
    const init = { headers: { 'X-API-Key': key } };
    const response = await fetch(`${other.addresses.api}/api/v1/urls/${code}`, init);
    if (response.status === 200) clicks = Link.parse(await response.json()).clicks;
    if (clicks < wanted) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(clicks).toBe(wanted);
}
