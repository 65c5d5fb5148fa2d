import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AttemptResult } from '../../../src/servers/adapter.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, created, FULL, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

/** Returns a background worker that dies during a request and never receives its response. */
async function diesSending(kind: 'spec-only' | 'full', ...ids: string[]) {
  const worker = await connected(kind);
  await worker.accept(...ids);
  worker.send = () => new Promise(() => {});
  void worker.runner.run();
  await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
  return worker;
}

describe('a background that died while it was sending', () => {
  test('is recovered once, and not again during the next send', async () => {
    await diesSending('spec-only', 'request-a');
    const next = new TestWorker(5_000);
    await next.accept('request-b');
    next.pass(2_000);
    next.send = async ({ requestIds }) => {
      await next.commands.cancel(['request-a']);
      return created(requestIds);
    };
    await next.runner.run();
    expect(await next.links()).toEqual(['request-b']);
  });
});

describe('a background that cannot recover at first', () => {
  const failing = () => {
    let fails = true;
    const { transaction } = IDBDatabase.prototype;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...parts) {
      if (fails) throw new DOMException('The disk is busy.', 'UnknownError');
      return transaction.apply(this, parts);
    });
    return () => {
      fails = false;
    };
  };

  test('wakes again, recovers, and sends nothing before', async () => {
    await diesSending('full', 'request-a');
    const next = new TestWorker(5_000);
    const wellAgain = failing();
    await expect(next.runner.run()).rejects.toThrow('busy');
    await expect(next.accept('request-b')).rejects.toThrow('busy');
    expect(next.wakes.at(-1)).toBe(next.now + 30_000);
    wellAgain();
    next.pass(30_000);
    await next.runOut();
    vi.restoreAllMocks();
    expect(await next.links()).toEqual(['request-a']);
    expect(next.sent.map(({ idempotencyKey }) => idempotencyKey)).toHaveLength(1);
  });

  test('recovers before it accepts a request, if a request comes first', async () => {
    await diesSending('spec-only', 'request-a');
    const next = new TestWorker(5_000);
    const wellAgain = failing();
    await expect(next.accept('request-b')).rejects.toThrow('busy');
    wellAgain();
    await next.accept('request-b');
    vi.restoreAllMocks();
    expect(await next.requests()).toMatchObject([{ state: 'uncertain' }, { id: 'request-b', state: 'waiting' }]);
  });
});

describe('a response', () => {
  test.each(['full', 'spec-only'] as const)(
    'that arrives after another key was saved still ends its request (%s)',
    async (kind) => {
      const worker = await connected(kind);
      await worker.accept('request-a');
      const answer = Promise.withResolvers<AttemptResult>();
      worker.send = () => answer.promise;
      const run = worker.runner.run();
      await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
      const connections = connectionsOver(worker, { fetch: () => Promise.reject(new Error('nobody there')) });
      await connections.save({ connectionId: 'c', name: '', baseUrl: 'https://a.example', apiKey: 'another-key' });
      expect(await worker.requests()).toMatchObject([{ state: 'uncertain' }]);
      answer.resolve(created(['request-a']));
      await run;
      expect(await worker.links()).toEqual(['request-a']);
      expect(await worker.requests()).toEqual([]);
    },
  );
});

describe('a failing run', () => {
  test('is reported, sets an alarm, and the next run recovers its request', async () => {
    const worker = await connected('full');
    await worker.accept('request-a');
    worker.send = () => Promise.reject(new Error('out of memory'));
    await expect(worker.runner.run()).rejects.toThrow('out of memory');
    expect(worker.wakes.at(-1)).toBe(worker.now + 30_000);
    worker.pass(30_000);
    worker.send = async ({ requestIds }) => created(requestIds);
    await worker.runOut();
    expect(await worker.links()).toEqual(['request-a']);
    expect(worker.sent[1]?.body).toBe(worker.sent[0]?.body);
    expect(worker.sent[1]?.idempotencyKey).toBe(worker.sent[0]?.idempotencyKey);
  });

  test('loses neither the request nor the link if the result could not be stored', async () => {
    const worker = await connected('full');
    await worker.accept('request-a');
    const { put } = IDBObjectStore.prototype;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...record
    ) {
      queueMicrotask(() => this.name === 'links' && this.transaction.abort());
      return put.apply(this, record);
    });
    await expect(worker.runner.run()).rejects.toThrow();
    full.mockRestore();
    expect(await worker.links()).toEqual([]);
    worker.pass(30_000);
    await worker.runOut();
    expect(await worker.links()).toEqual(['request-a']);
    expect(worker.sent[1]?.idempotencyKey).toBe(worker.sent[0]?.idempotencyKey);
  });

  test('of one queue does not delay the other queues unnecessarily', async () => {
    const worker = await connected('full');
    await worker.connect({ ...FULL, id: 'other', baseUrl: 'https://b.example', preferredAt: 0 });
    await worker.shorten({ id: 'request-b' }, { connectionId: 'other' });
    await worker.runner.run();
    await worker.shorten({ id: 'request-c' }, { connectionId: 'other' });
    await worker.accept('request-a');
    worker.send = () => Promise.reject(new Error('out of memory'));
    await expect(worker.runner.run()).rejects.toThrow('out of memory');
    expect(worker.wakes.at(-1)).toBe(worker.now + 1_000);
  });
});
