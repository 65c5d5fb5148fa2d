import { openDB } from 'idb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { recover } from '../../../src/queue/crash-recovery.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { readVisibleLinks, readVisibleQueues } from '../../../src/storage/load-page-data.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../../src/storage/settings.ts';
import { at } from '../queue/support/queue-builders.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';
import { RECORDED_010, recordedDisk, restoreDisk } from '../support/released-disk.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

type State = (typeof RECORDED_010)[number];

/** Returns an object store's records in version 0.1.0, by key. */
function released(state: State, store: string): Map<string, Record<string, unknown>> {
  const records = recordedDisk(state).database.stores.find(({ name }) => name === store)?.records ?? [];
  return new Map(records.map(({ key, value }) => [String(key), value as Record<string, unknown>]));
}

/** Migrates a version 0.1.0 database, and returns all records by object store. */
async function update(state: State) {
  await restoreDisk(recordedDisk(state));
  const database = await openDatabase();
  const disk = await everythingOnDisk(database);
  database.close();
  return disk;
}

const valuesOf = (records: [IDBValidKey, unknown][] = []) => records.map(([, value]) => value);

describe.each(RECORDED_010)('after the update of version 0.1.0, "%s",', (state) => {
  test('every link stays unchanged', async () => {
    const links = released(state, 'links');
    const disk = await update(state);
    expect(disk.links?.map(([key]) => key)).toEqual([...links.keys()]);
    for (const [key, link] of disk.links ?? []) expect(link).toMatchObject(links.get(String(key)) ?? {});
  });

  test('every request stays unchanged except for its renamed state', async () => {
    const requests = released(state, 'requests');
    const disk = await update(state);
    expect(disk.requests?.map(([key]) => key)).toEqual([...requests.keys()]);
    for (const [key, request] of disk.requests ?? []) {
      const { state: before, ...rest } = requests.get(String(key)) ?? {};
      expect(request).toMatchObject(rest);
      const after = before === 'unknown' ? expect.stringMatching(/^(unanswered|undecided)$/) : before;
      expect(request).toMatchObject({ state: after });
    }
  });

  test('connection, key, queue, quota and open attempt get the id of the connection', async () => {
    const old = released(state, 'state');
    const connection = old.get('connection');
    const disk = await update(state);
    expect(valuesOf(disk.connections)).toEqual(
      connection ? [{ ...connection, name: '', serviceReadAt: null, lastSeenWellAt: null, preferredAt: 1 }] : [],
    );
    const key = released(state, 'secrets').get('apiKey');
    expect(disk.secrets).toEqual(key === undefined ? [] : [[connection?.id, key]]);
    expect(disk.queues?.map(([id]) => id)).toEqual(connection ? [connection.id] : []);
    const { attempt, lastSeen } = old.get('queue') ?? {};
    expect(disk.attempts).toHaveLength(attempt ? 1 : 0);
    const budget = old.get(`budget:${connection?.id}`);
    for (const queue of valuesOf(disk.queues)) {
      expect(queue).toMatchObject({
        state: { latestTime: lastSeen },
        budget: { sends: budget?.sends, quota: budget?.quota, gapMs: budget?.gapMs, reported: budget?.told },
      });
    }
  });

  test('no other data is on disk', async () => {
    const disk = await update(state);
    expect(Object.keys(disk).sort()).toEqual([
      'attempts',
      'connections',
      'groups',
      'links',
      'pastSends',
      'queues',
      'requests',
      'secrets',
    ]);
  });

  test('the settings stay unchanged', async () => {
    await update(state);
    const settings = recordedDisk(state).local.settings as object | undefined;
    expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, ...settings });
  });

  test('an update that fails at any write changes nothing, and runs again at the next start', async () => {
    await restoreDisk(recordedDisk(state));
    const before = await diskOfVersion1();
    const { put } = IDBObjectStore.prototype;
    for (let failing = 1, failed = true; failed; failing += 1) {
      let left = failing;
      const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
        this: IDBObjectStore,
        ...record
      ) {
        left -= 1;
        if (left === 0) throw new DOMException('The disk is full.', 'QuotaExceededError');
        return put.apply(this, record);
      });
      failed =
        (await openDatabase().then(
          (database) => database.close(),
          (error) => error.name === 'QuotaExceededError',
        )) === true;
      spy.mockRestore();
      if (failed) expect(await diskOfVersion1()).toEqual(before);
      else expect(left).toBeGreaterThan(0);
    }
    const updated = await update(state);
    const database = await openDatabase();
    expect(withoutIds(await everythingOnDisk(database))).toEqual(withoutIds(updated));
  });
});

async function diskOfVersion1() {
  const database = await openDB('terse');
  const disk = await everythingOnDisk(database as never);
  const indexes = [...database.transaction('links').store.indexNames];
  const { version } = database;
  database.close();
  return { disk, indexes, version };
}

/** Each migration generates a new attempt id, so comparisons leave the id out. */
function withoutIds({ attempts = [], ...rest }: Awaited<ReturnType<typeof everythingOnDisk>>) {
  return { ...rest, attempts: valuesOf(attempts).map((attempt) => ({ ...(attempt as object), id: '' })) };
}

describe('after the update of the recorded state', () => {
  const queueAfter = async (state: State) => {
    await restoreDisk(recordedDisk(state));
    const { queues, unassigned } = await readVisibleQueues(false, at().now);
    return { queue: queues[0], unassigned };
  };
  const states = (requests: { title: string; state: string }[] = []) =>
    Object.fromEntries(requests.map(({ title, state }) => [title, state]));

  test('"full", the unanswered attempt is sent again with its idempotency key', async () => {
    const { queue } = await queueAfter('full');
    expect(states(queue?.requests)).toEqual({
      'Refused for good': 'failed',
      'Sent, and no answer came': 'unanswered',
      one: 'waiting',
      two: 'waiting',
      three: 'waiting',
    });
    const [unanswered] = queue?.requests.filter(({ state }) => state === 'unanswered') ?? [];
    expect(queue?.attempts).toMatchObject([
      { requestIds: [unanswered?.id], idempotencyKey: unanswered?.idempotencyKey, inFlight: false, sends: 1 },
    ]);
    expect(queue?.state.pause).toMatchObject({ reason: 'unreachable', named: false });
  });

  test('"killed", the batch that was in flight is recovered as unanswered', async () => {
    const { queue } = await queueAfter('killed');
    expect(queue?.attempts).toMatchObject([{ inFlight: true, path: '/api/v1/urls/batch', sends: 1 }]);
    const recovered = queue && recover(queue, at());
    expect(states(recovered?.requests)).toEqual({
      'Behind the batch': 'waiting',
      one: 'unanswered',
      two: 'unanswered',
      three: 'unanswered',
    });
    expect(recovered?.attempts).toMatchObject([{ requestIds: { length: 3 }, inFlight: false }]);
  });

  test('"disconnected", waiting requests are in no queue, oldest first', async () => {
    const { queue, unassigned } = await queueAfter('disconnected');
    expect(queue).toBeUndefined();
    expect(unassigned.map(({ title }) => title)).toEqual(['one', 'two', 'three']);
    expect(await readVisibleLinks(false)).toHaveLength(3);
  });

  test('"spec-only", uncertain requests wait for the user, and the queue stays blocked', async () => {
    const { queue } = await queueAfter('spec-only');
    expect(states(queue?.requests)).toEqual({
      'Refused for good': 'failed',
      'Perhaps made': 'undecided',
      one: 'failed',
      two: 'waiting',
      three: 'waiting',
    });
    expect(queue?.state.halt).toBe('unauthorized');
  });
});
