import { beforeEach, describe, expect, test, vi } from 'vitest';
import { watchTransactions } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, created, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

/** Returns a background worker that sends new requests immediately. */
async function atOnce(kind: 'full' | 'spec-only' = 'full') {
  const worker = await connected(kind);
  worker.sendsAtOnce = true;
  await worker.store.queues();
  return worker;
}

const never = () => new Promise<never>(() => {});

describe('an accepted request that can be sent immediately', () => {
  test('is on disk before the reply, and with its content and charge before it is sent', async () => {
    const worker = await atOnce();
    const opened = watchTransactions();
    let transactions: ReturnType<typeof opened> = [];
    worker.send = () => {
      transactions = opened();
      return never();
    };
    expect(await worker.shorten({ id: 'request-a' })).toMatchObject({ ok: true, value: { requestIds: ['request-a'] } });
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    const written = transactions.filter(({ mode }) => mode === 'readwrite');
    expect(written).toMatchObject([{ durability: 'strict' }, { durability: 'strict' }]);
    const { requests, limits } = await worker.queue();
    expect(requests).toMatchObject([{ state: 'sending', attempts: 1 }]);
    expect(limits.sends).toHaveLength(1);
    expect(worker.wakes.at(-1)).toBe(worker.now + 30_000);
  });

  test('ends in its link, and requests that were accepted meanwhile are sent afterwards', async () => {
    const worker = await atOnce();
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.send = async ({ requestIds }) => {
      await promise;
      return created(requestIds);
    };
    await worker.shorten({ id: 'request-a' });
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    await worker.shorten({ id: 'request-b' });
    expect((await worker.requests()).map(({ state }) => state)).toEqual(['sending', 'waiting']);
    resolve();
    await worker.runOut();
    expect(await worker.links()).toEqual(['request-a', 'request-b']);
    expect(worker.sent).toHaveLength(2);
  });
});

describe('an accepted request is answered but not sent', () => {
  test('if no alarm can be set to wake the next background', async () => {
    const worker = await atOnce();
    worker.wake = () => Promise.reject(new Error('No alarms today.'));
    expect(await worker.shorten({ id: 'request-a' })).toMatchObject({ ok: true });
    expect(worker.sent).toEqual([]);
    expect(await new TestWorker().requests()).toMatchObject([{ state: 'waiting' }]);
  });

  test('if the service must be probed first', async () => {
    const worker = await atOnce('spec-only');
    await worker.shorten({ id: 'request-a' });
    await worker.runOut();
    expect(worker.probed).toHaveLength(1);
    expect(await worker.links()).toEqual(['request-a']);
  });
});

test('a request that cannot be stored is neither accepted nor sent, and blocks nothing', async () => {
  const worker = await atOnce();
  const full = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  await expect(worker.shorten({ id: 'request-a' })).rejects.toMatchObject({ name: 'QuotaExceededError' });
  full.mockRestore();
  expect(await worker.requests()).toEqual([]);
  await worker.shorten({ id: 'request-b' });
  await worker.runOut();
  expect(await worker.links()).toEqual(['request-b']);
  expect(worker.sent).toHaveLength(1);
});
