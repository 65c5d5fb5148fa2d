import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AttemptResult } from '../../../src/servers/adapter.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, created, FULL } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

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

describe('an answer that cannot be written', () => {
  const refuse = (times: number) => {
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    const fail = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
    for (let n = 0; n < times; n += 1) put.mockImplementationOnce(fail);
  };
  const answeredWhile = async (kind: 'full' | 'spec-only', times: number) => {
    const worker = await connected(kind);
    await worker.accept('request-a');
    worker.send = async ({ requestIds }) => {
      if (worker.sent.length === 1) refuse(times);
      return created(requestIds);
    };
    await worker.runOut().catch(() => undefined);
    worker.pass(30_000);
    await worker.runOut();
    return worker;
  };

  test.each(['full', 'spec-only'] as const)('at first is written again, without another send (%s)', async (kind) => {
    const worker = await answeredWhile(kind, 1);
    expect(await worker.links()).toEqual(['request-a']);
    expect(worker.sent).toHaveLength(1);
  });

  test('again either is repeated with the same key', async () => {
    const worker = await answeredWhile('full', 2);
    expect(await worker.links()).toEqual(['request-a']);
    expect(worker.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['request-a', 'request-a']);
  });

  test('again either is left to the user if a repetition could create a second link', async () => {
    const worker = await answeredWhile('spec-only', 2);
    expect(await worker.requests()).toMatchObject([{ state: 'uncertain' }]);
    expect(worker.sent).toHaveLength(1);
  });
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
