import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../src/queue/outcome.ts';
import { answered, created, lost, specOnly } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, Life, later } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

/** A life that dies while its request is on the way. What it was promised never comes. */
async function diesSending(kind: 'spec-only' | 'full', ...ids: string[]) {
  const life = await connected(kind);
  await life.accept(...ids);
  life.send = () => new Promise(() => {});
  void life.pump.run();
  await vi.waitFor(() => expect(life.sent).toHaveLength(1));
  return life;
}

describe('a background that died while it sent', () => {
  test('leaves a question, where asking again could make a second link', async () => {
    await diesSending('spec-only', 'request-a');
    const next = new Life(5_000);
    await next.runOut();
    expect(next.sent).toEqual([]);
    expect(await next.requests()).toMatchObject([{ state: 'unknown', problem: { code: 'interrupted' } }]);
  });

  test('is followed by one that sends the same again, where the service honours keys', async () => {
    const dead = await diesSending('full', 'request-a', 'request-b');
    const next = new Life(5_000);
    await next.pump.run();
    expect(next.wakes).toEqual([next.time.now + 1_000]);
    next.pass(1_000);
    await next.pump.run();
    expect(next.sent).toEqual([dead.sent[0]]);
    expect(await next.links()).toEqual(['request-a', 'request-b']);
    expect((await next.snapshot()).budget?.sends).toHaveLength(2);
  });

  test('is taken over from before anything new is accepted', async () => {
    await diesSending('spec-only', 'request-a');
    const next = new Life(5_000);
    await next.accept('request-b');
    expect(await next.requests()).toMatchObject([{ state: 'unknown' }, { id: 'request-b', state: 'waiting' }]);
  });

  test('is taken over from once, not again in the middle of the next send', async () => {
    await diesSending('spec-only', 'request-a');
    const next = new Life(5_000);
    await next.accept('request-b');
    next.pass(2_000);
    next.send = async () => {
      await next.wishes.cancel('request-a');
      return answered([created()]);
    };
    await next.pump.run();
    expect(await next.links()).toEqual(['request-b']);
  });
});

describe('an answer that comes', () => {
  test('after the connection was replaced still ends its request', async () => {
    const life = await connected();
    await life.accept('request-a');
    const answer = later<Outcome>();
    life.send = () => answer.promise;
    const run = life.pump.run();
    await vi.waitFor(() => expect(life.sent).toHaveLength(1));
    await life.connect({ ...specOnly, id: 'other' });
    answer.resolve(answered([created()]));
    await run;
    expect(await life.links()).toEqual(['request-a']);
  });

  test('not at all leaves the person to decide, and the next is sent later', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b');
    life.send = async () => lost();
    await life.pump.run();
    expect(await life.requests()).toMatchObject([{ state: 'unknown' }, { state: 'waiting' }]);
    life.send = async () => answered([created()]);
    await life.runOut();
    expect(await life.links()).toEqual(['request-b']);
  });
});

describe('a run that fails', () => {
  test('says so, wakes again, and the next run takes over what it had in flight', async () => {
    const life = await connected('full');
    await life.accept('request-a');
    life.send = () => Promise.reject(new Error('the database would not tell the key'));
    await expect(life.pump.run()).rejects.toThrow('would not tell');
    expect(life.wakes.at(-1)).toBe(life.time.now + 30_000);
    life.pass(30_000);
    life.send = async () => answered([created()]);
    await life.runOut();
    expect(await life.links()).toEqual(['request-a']);
    expect(life.sent[1]).toEqual(life.sent[0]);
  });

  test('because the result could not be stored loses neither the request nor the link', async () => {
    const life = await connected('full');
    await life.accept('request-a');
    const { put } = IDBObjectStore.prototype;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...record
    ) {
      queueMicrotask(() => this.name === 'links' && this.transaction.abort());
      return put.apply(this, record);
    });
    await expect(life.pump.run()).rejects.toThrow();
    full.mockRestore();
    expect(await life.links()).toEqual([]);
    life.pass(30_000);
    await life.runOut();
    expect(await life.links()).toEqual(['request-a']);
    expect(life.sent[1]?.idempotencyKey).toBe(life.sent[0]?.idempotencyKey);
  });
});
