import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../src/config/environment.ts';
import {
  createInvitation,
  INVITATION_LIFETIME_MS,
  SESSION_LIFETIME_MS,
} from '../src/domain/accounts/names-invitations-sessions.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { CACHED_FOR_MS } from '../src/domain/limits/create-requests.ts';
import { runPeriodically } from '../src/maintenance/maintenance.ts';
import { startService } from '../src/server/start-service.ts';
import { FIRST_ACCOUNT } from '../src/store/sql/account-queries.ts';
import { serviceForTest } from './support/service.ts';
import { sqlite } from './support/sqlite.ts';
import { link, makeKey, NOON, submission, targetOf } from './support/store.ts';
import { holder } from './support/visitor.ts';

it('the service deletes only expired cached responses at the start', async () => {
  const database = await sqlite.create();
  const clock = { now: NOON };
  const store = await database.open(NOON, () => clock.now);
  const key = await makeKey(store);
  const keep = (name: string, now: number) => {
    clock.now = now;
    const idempotency = { key: name, endpoint: '/', fingerprint: new Uint8Array(32) };
    return store.createRequests.submit(submission(key, { idempotency }));
  };
  await keep('old', NOON);
  await keep('recent', NOON + 1);
  await keep('ahead', NOON + 2 * CACHED_FOR_MS);

  const service = await startService({
    config: readConfig({ TERSE_LISTEN: '127.0.0.1:0', TERSE_SHORT_LISTEN: '127.0.0.1:0' }),
    store,
    clock: () => NOON + CACHED_FOR_MS,
    random: systemRandom,
    log: () => {},
    version: '0',
  });
  await service.stop();
  const file = new DatabaseSync(database.address.replace('file:', ''), { readOnly: true });
  const rows = file.prepare('SELECT idempotency_key FROM cached_responses').all();
  expect(rows.map((row) => row.idempotency_key)).toEqual(['ahead', 'recent']);
  file.close();
  await database.drop();
});

it.each([1, -1])('the service deletes expired sessions, also if its clock was wrong: %i', async (sign) => {
  const terse = await serviceForTest({}, { maintenance: 20 });
  await holder(terse);
  expect(await terse.store.sessions.list(FIRST_ACCOUNT)).toHaveLength(1);
  terse.clock.now += sign * SESSION_LIFETIME_MS.idle;
  await vi.waitFor(async () => expect(await terse.store.sessions.list(FIRST_ACCOUNT)).toEqual([]));
});

it.each([1, -1])('the service deletes expired invitations, and accounts that were never used: %i', async (sign) => {
  const terse = await serviceForTest({}, { maintenance: 20 });
  const { accounts } = terse.store;
  const { id } = await accounts.create('Grace', NOON);
  await accounts.invite(createInvitation(systemRandom, id, NOON).stored);
  terse.clock.now += sign * INVITATION_LIFETIME_MS;
  await vi.waitFor(async () => expect(await accounts.get(id)).toBeNull());
  expect(await accounts.list()).toHaveLength(1);
});

it.each([1, -1])('the service deletes uploads that nobody has confirmed for an hour: %i', async (sign) => {
  const terse = await serviceForTest({}, { maintenance: 20 });
  const { accounts, uploads } = terse.store;
  const { id: grace } = await accounts.create('Grace', NOON);
  const file = { name: 'links.csv', total: 1, content: new Uint8Array(1) };
  await uploads.add({ accountId: FIRST_ACCOUNT, token: 'old', ...file, now: NOON }, 100);
  await uploads.add({ accountId: grace, token: 'new', ...file, now: NOON + sign * 2 * 60_000 }, 100);
  terse.clock.now += sign * 61 * 60_000;
  await vi.waitFor(async () => expect(await uploads.find(FIRST_ACCOUNT, 'old', 0)).toBeNull());
  expect(await uploads.find(grace, 'new', 0)).not.toBeNull();
});

it('the service deletes the data of deleted accounts', async () => {
  const terse = await serviceForTest({}, { maintenance: 20 });
  const { accounts, links } = terse.store;
  const { id } = await accounts.create('Grace', NOON);
  await links.create(id, link(['graces']), NOON);
  await accounts.remove({ accountId: id, verified: null, now: NOON });
  const target = () => targetOf(terse.store, 'graces');
  await vi.waitFor(async () => expect(await target()).toMatchObject({ deletedAt: NOON }));
});

it('a periodic task never runs two rounds at once', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const stop = runPeriodically(
    1,
    async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(15);
      running -= 1;
      rounds += 1;
    },
    'now',
  );
  await expect.poll(() => rounds).toBeGreaterThan(3);
  await stop();
  expect(most).toBe(1);
});

it('a periodic task ends after the current round, and begins no other', async () => {
  const round = Promise.withResolvers<void>();
  let rounds = 0;
  const work = () => {
    rounds += 1;
    return round.promise;
  };
  const stop = runPeriodically(1, work, 'now');
  const ended = stop();
  expect(await Promise.race([ended, sleep(20, 'running')])).toBe('running');
  round.resolve();
  await ended;
  await sleep(20);
  expect(rounds).toBe(1);
});
