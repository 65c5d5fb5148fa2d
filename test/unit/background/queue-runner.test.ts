import { beforeEach, describe, expect, test, vi } from 'vitest';
import { reconnected } from '../../../src/queue/user-actions.ts';
import type { AttemptResult, CreateRequest } from '../../../src/servers/adapter.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { unclear } from '../queue/support/queue-builders.ts';
import { watchTransactions } from '../storage/stored.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import {
  answeredBy,
  connected,
  created,
  FULL,
  lost,
  NOW,
  serverError,
  type TestWorker,
  WELL,
} from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const OTHER = { ...FULL, id: 'other', baseUrl: 'https://b.example', preferredAt: 0 };
const bad = (attempt: CreateRequest) => attempt.body.includes('poison');

describe('sending', () => {
  test('creates links for waiting requests one by one, a second apart', async () => {
    const worker = await connected();
    await worker.accept('request-a', 'request-b');
    await worker.runner.run();
    expect(await worker.links()).toEqual(['request-a']);
    expect(worker.wakes.at(-1)).toBe(NOW + 1_000);
    await worker.runOut();
    expect(await worker.links()).toEqual(['request-a', 'request-b']);
    expect(await worker.requests()).toEqual([]);
    expect(worker.slept).toBeGreaterThan(0);
  });

  test('happens once even if several callers ask at the same time', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    const answer = Promise.withResolvers<AttemptResult>();
    worker.send = () => answer.promise;
    const runs = [worker.runner.run(), worker.runner.run()];
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    runs.push(worker.runner.run());
    answer.resolve(created(['request-a']));
    await Promise.all(runs);
    expect(worker.sent).toHaveLength(1);
  });
});

test('requests that are accepted while the alarm is being cleared are still sent', async () => {
  const worker = await connected('full');
  await worker.accept('request-a');
  const asleep = Promise.withResolvers<void>();
  worker.whileSleeping = () => asleep.promise;
  const first = worker.runner.run();
  await vi.waitFor(() => expect(worker.slept).toBe(1));
  worker.pass(5_000);
  await worker.accept('request-b');
  const second = worker.runner.run();
  asleep.resolve();
  await Promise.all([first, second]);
  expect(await worker.links()).toEqual(['request-a', 'request-b']);
});

describe('several queues', () => {
  test('continue while one queue waits for a response, and share one alarm', async () => {
    const worker = await connected('full');
    await worker.connect(OTHER);
    await worker.accept('request-a');
    const answer = Promise.withResolvers<AttemptResult>();
    worker.send = (attempt, { baseUrl }) =>
      baseUrl === 'https://a.example' ? answer.promise : Promise.resolve(created(attempt.requestIds));
    const first = worker.runner.run();
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    await worker.shorten({ id: 'request-b' }, { connectionId: 'other' });
    void worker.runner.run();
    await vi.waitFor(async () => expect(await worker.links()).toEqual(['request-b']));
    await worker.shorten({ id: 'request-c' }, { connectionId: 'other' });
    void worker.runner.run();
    await vi.waitFor(() => expect(worker.wakes.at(-1)).toBe(NOW + 1_000));
    answer.resolve(created(['request-a']));
    await first;
    expect(await worker.links()).toEqual(['request-a', 'request-b']);
  });

  test('are not changed by recovery if the previous worker left nothing', async () => {
    const worker = await connected('full');
    await worker.connect({ ...FULL, id: 'other', baseUrl: 'https://b.example' });
    const opened = watchTransactions();
    await worker.store.queues();
    await worker.store.queues();
    expect(opened().filter(({ mode }) => mode === 'readwrite')).toEqual([]);
  });

  test('each send their own key to their own address', async () => {
    const worker = await connected('full');
    await worker.connect(OTHER);
    await worker.accept('request-a');
    await worker.shorten({ id: 'request-b' }, { connectionId: 'other' });
    await worker.runOut();
    expect(worker.sent.map(({ baseUrl, apiKey }) => `${baseUrl} ${apiKey}`).sort()).toEqual([
      'https://a.example key-c',
      'https://b.example key-other',
    ]);
  });

  test('are independent: a blocked queue blocks no other queue', async () => {
    const worker = await connected('full');
    await worker.connect(OTHER);
    worker.permitted = async (baseUrl) => baseUrl === OTHER.baseUrl;
    await worker.accept('request-a');
    await worker.shorten({ id: 'request-b' }, { connectionId: 'other' });
    await worker.runOut();
    expect(await worker.links()).toEqual(['request-b']);
    expect((await worker.queue()).state.blocked).toBe('permission');
    expect((await worker.queue('other')).state.blocked).toBeNull();
  });
});

describe('an API key', () => {
  test('is never sent to an address that it was not stored with, even if the connection changes meanwhile', async () => {
    const worker = await connected('full');
    await worker.accept('request-a');
    worker.permitted = async (baseUrl) => {
      if (baseUrl === 'https://a.example') await worker.store.updateAll(movedTo('https://b.example', 'key-b'));
      return true;
    };
    await worker.runOut();
    expect(worker.sent.map(({ baseUrl, apiKey }) => `${baseUrl} ${apiKey}`)).toEqual(['https://b.example key-b']);
  });

  test('is never sent by a probe to an address that it was not stored with', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    const probes: string[] = [];
    worker.probe = async (baseUrl, apiKey) => {
      probes.push(`${baseUrl} ${apiKey}`);
      return null;
    };
    worker.permitted = async (baseUrl) => {
      if (baseUrl === 'https://a.example') await worker.store.updateAll(movedTo('https://b.example', 'key-b'));
      return true;
    };
    await worker.runner.run();
    expect(probes).toEqual(['https://b.example key-b']);
  });

  test('is not blocked if a probe with the previous key was refused meanwhile', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    worker.probe = async (baseUrl, apiKey) => {
      if (apiKey === 'key-b') return WELL;
      await worker.store.updateAll(movedTo(baseUrl, 'key-b'));
      return { ...WELL, key: 'refused' };
    };
    await worker.runOut();
    expect((await worker.queue()).state.blocked).toBeNull();
    expect(worker.sent.map(({ apiKey }) => apiKey)).toEqual(['key-b']);
  });

  const movedTo =
    (baseUrl: string, apiKey: string) => (all: Parameters<Parameters<TestWorker['store']['updateAll']>[0]>[0]) => ({
      all: {
        ...all,
        queues: all.queues.map((queue) => ({ ...queue, connection: { ...queue.connection, baseUrl, revision: 1 } })),
        apiKeys: new Map([['c', apiKey]]),
      },
      result: null,
    });
});

describe('a request without an answer from the service', () => {
  test.each([
    ['that causes an error', serverError],
    ['that gets no response', lost],
    ['that is answered with nonsense', (attempt: CreateRequest) => answeredBy(attempt, unclear('not_understood'))],
  ])('%s delays no other request, and costs at most three sends a day', async (_how, fails) => {
    const worker = await connected('full');
    await worker.accept('request-first');
    await worker.runner.run();
    worker.send = async (attempt) => (bad(attempt) ? fails(attempt) : created(attempt.requestIds));
    await worker.shorten({ id: 'request-poison', url: 'https://x.example/poison' });
    await worker.runner.run();
    for (let n = 0; n < 5; n += 1) await worker.accept(`request-${n}`);
    const from = worker.now;
    while ((await worker.links()).length < 6 && worker.now < from + 30_000) {
      worker.pass(1_000);
      await worker.runner.run();
    }
    expect(worker.now).toBeLessThan(from + 30_000);
    while (worker.now < from + 24 * 3_600_000) {
      worker.pass(600_000);
      await worker.runner.run();
    }
    expect(worker.sent.filter(bad)).toHaveLength(3);
    expect(await worker.requests()).toMatchObject([{ id: 'request-poison', state: 'unknown' }]);
    for (let day = 0; day < 4; day += 1) {
      worker.pass(24 * 3_600_000);
      await worker.runOut();
    }
    expect(worker.sent.filter(bad)).toHaveLength(6);
    expect(await worker.requests()).toMatchObject([{ id: 'request-poison', state: 'uncertain' }]);
  });
});

describe('without a network', () => {
  test('the queue waits for the network and then continues automatically', async () => {
    const worker = await connected();
    worker.online = false;
    await worker.accept('request-a');
    await worker.runner.run();
    expect(worker.sent).toEqual([]);
    expect(worker.wakes.at(-1)).toBe(worker.now + 30_000);
    worker.online = true;
    await worker.runner.run();
    expect(await worker.links()).toEqual(['request-a']);
  });

  test('no retry delay follows from the lost network', async () => {
    const worker = await connected('full');
    await worker.accept('request-a');
    worker.send = async (attempt) => lost(attempt);
    worker.probe = async () => null;
    await worker.runner.run();
    worker.online = false;
    await worker.runner.run();
    worker.online = true;
    worker.send = async ({ requestIds }) => created(requestIds);
    worker.probe = async () => ({ ...WELL, service: FULL.service });
    worker.pass(1_000);
    await worker.runner.run();
    expect(await worker.links()).toEqual(['request-a']);
  });
});

describe('a link that arrives after its connection has changed', () => {
  let worker: TestWorker;

  /** Runs `change` while a request is in flight, and lets the service answer afterwards. */
  async function changedMeanwhile(change: () => Promise<unknown>) {
    worker = await connected('full');
    await worker.connect(OTHER);
    const answer = Promise.withResolvers<void>();
    worker.send = ({ requestIds }) => answer.promise.then(() => created(requestIds));
    await worker.shorten({ id: 'request-a' });
    const running = worker.runner.run();
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    await change();
    answer.resolve();
    await running;
    return readLinks();
  }

  test('does not become a link of the service at the new address', async () => {
    const links = await changedMeanwhile(() =>
      worker.store.updateAll((all) => {
        const queues = all.queues.map((queue) =>
          queue.connection.id === 'c'
            ? reconnected(queue, { ...queue.connection, baseUrl: 'https://new.example' })
            : queue,
        );
        return { all: { ...all, queues }, result: null };
      }),
    );
    expect(links).toMatchObject([{ id: 'request-a', connectionId: null }]);
    expect(await worker.requests()).toEqual([]);
  });

  test('is stored without a connection if the connection was removed', async () => {
    const link = { id: 'request-a', connectionId: null, shortUrl: 'https://s.example/request-a' };
    expect(await changedMeanwhile(() => connectionsOver(worker).forget('c'))).toMatchObject([link]);
    expect(await worker.store.queues()).toMatchObject([{ connection: { id: 'other' }, requests: [] }]);
    expect(worker.completed).toMatchObject([{ links: [{ link, source: 'popup' }], stuck: [], listIds: [] }]);
  });

  test('is not stored if the user deleted all data', async () => {
    expect(await changedMeanwhile(() => worker.store.deleteEverything())).toEqual([]);
  });
});

test('a queue that is added during another run is not recovered during its send', async () => {
  const worker = await connected('full');
  const answer = Promise.withResolvers<AttemptResult>();
  worker.send = () => answer.promise;
  await worker.store.queues();
  await worker.connect(OTHER);
  await worker.shorten({ id: 'request-b' }, { connectionId: 'other' });
  const first = worker.runner.run();
  await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
  await worker.store.queues();
  expect(await worker.requests('other')).toMatchObject([{ state: 'sending' }]);
  answer.resolve(created(['request-b']));
  await first;
  expect(await worker.links()).toEqual(['request-b']);
});

test('a connection keeps the features of its server if a probe as another kind ends late', async () => {
  const worker = await connected('full', 2 * 86_400_000);
  worker.probe = async () => {
    await worker.store.update('c', (queue) => ({
      queue: reconnected(queue, { ...queue.connection, kind: 'shlink', service: null }),
      result: null,
    }));
    worker.probe = async () => ({ ...WELL, service: null });
    return { ...WELL, service: FULL.service };
  };
  await worker.accept('a');
  await worker.runner.run();
  expect(worker.probed).toHaveLength(2);
  expect((await worker.queue()).connection).toMatchObject({ kind: 'shlink', service: null });
});
