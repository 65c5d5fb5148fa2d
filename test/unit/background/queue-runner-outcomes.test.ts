import { beforeEach, describe, expect, test, vi } from 'vitest';
import { freshDisk } from '../support/disk.ts';
import { connected, lost, SPEC_ONLY, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

test('the result of a send is reported with its duration, the caller, the links and the requests that need the user', async () => {
  const worker = await connected();
  await worker.accept('request-a');
  worker.pass(400);
  await worker.runner.run();
  expect(worker.completed).toMatchObject([
    { links: [{ link: { id: 'request-a' }, waitedMs: 400, source: 'popup' }], stuck: [] },
  ]);
});

describe('a request that ends without a response is reported once', () => {
  const reported = (worker: TestWorker) =>
    worker.completed.flatMap(({ stuck, listIds }) => [...stuck.map(({ id, state }) => [id, state]), ...listIds]);

  /** Returns a background worker with one request that belongs to a list and was sent without a response. */
  async function unanswered(): Promise<TestWorker> {
    const worker = await connected('full');
    await worker.shorten({ id: 'request-a' }, { listId: 'list' });
    worker.send = async (attempt) => lost(attempt);
    await worker.runner.run();
    return worker;
  }

  test('if the service may have deleted its idempotency key', async () => {
    const worker = await unanswered();
    worker.completed.length = 0;
    worker.pass(30 * 24 * 3_600_000);
    await worker.runOut();
    expect(await worker.requests()).toMatchObject([{ state: 'uncertain' }]);
    expect(reported(worker)).toEqual([['request-a', 'uncertain'], 'list']);
  });

  test('only with its list if its queue is blocked, because the user already knows about the block', async () => {
    const worker = await unanswered();
    await worker.store.update('c', (queue) => ({
      queue: { ...queue, state: { ...queue.state, blocked: 'unauthorized' } },
      result: null,
    }));
    worker.completed.length = 0;
    worker.pass(30 * 24 * 3_600_000);
    await worker.runOut();
    expect(await worker.requests()).toMatchObject([{ state: 'uncertain' }]);
    expect(reported(worker)).toEqual(['list']);
  });
});

describe('without permission', () => {
  test('nothing is sent, no service is probed, and the queue is blocked until permission is granted', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    worker.permitted = async () => false;
    await worker.runner.run();
    expect([...worker.sent, ...worker.probed]).toEqual([]);
    expect((await worker.queue()).state.blocked).toBe('permission');
    expect(worker.slept).toBeGreaterThan(0);
    expect(worker.completed).toMatchObject([{ stuck: [{ id: 'request-a' }] }]);
    await worker.commands.tryNow('c');
    await worker.runner.run();
    expect(worker.sent).toEqual([]);
    // The background worker may miss the permission event, so the restored permission alone must end the block.
    worker.permitted = async () => true;
    await worker.runner.run();
    expect(worker.sent).toHaveLength(1);
  });

  test('for an address that was replaced meanwhile, the new address is not blocked', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    worker.permitted = async () => {
      worker.permitted = async () => true;
      await worker.connect({ ...SPEC_ONLY, baseUrl: 'https://elsewhere.example' });
      return false;
    };
    await worker.runner.run();
    expect((await worker.queue()).state.blocked).toBeNull();
  });
});

describe('without any work', () => {
  test.each([
    ['no request waits', () => connected()],
    ['there is no connection', async () => new TestWorker()],
  ])('because %s, the background may sleep', async (_why, given) => {
    const worker = await given();
    await worker.runner.run();
    expect([worker.slept > 0, worker.sent.length, worker.wakes.length]).toEqual([true, 0, 0]);
  });

  test('because the last connection was deleted, the background may sleep', async () => {
    const worker = await connected();
    worker.online = false;
    await worker.accept('request-a');
    await worker.runner.run();
    await worker.store.updateAll((all) => ({ all: { ...all, queues: [] }, result: null }));
    await worker.runner.run();
    expect(worker.slept).toBe(1);
  });
});
