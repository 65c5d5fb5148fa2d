import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit, TooManyWaiting } from '../../src/domain/accounts/passwords.ts';

describe('a gate', () => {
  it('runs a maximum number of tasks at once, and starts the longest-waiting task next', async () => {
    const gate = createConcurrencyLimit(2, 10);
    const began: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 5 }, (_, at) =>
      gate(() => {
        began.push(at);
        return new Promise<number>((resolve) => ends.push(() => resolve(at)));
      }),
    );
    for (let ended = 0; ended < 5; ended += 1) {
      await tick();
      expect(began).toHaveLength(Math.min(5, ended + 2));
      ends[ended]?.();
    }
    expect(began).toEqual([0, 1, 2, 3, 4]);
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
  });

  it('rejects tasks if the queue is full, and continues', async () => {
    const gate = createConcurrencyLimit(1, 1);
    const work = () => gate(async () => 'done');
    const all = await Promise.allSettled([work(), work(), work()]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await expect(Promise.all([work(), work(), work()])).rejects.toThrow(TooManyWaiting);
    expect(await work()).toBe('done');
  });

  it('continues after a failed task', async () => {
    const gate = createConcurrencyLimit(1, 5);
    const fails = () => gate(() => Promise.reject(new Error('no')));
    const all = await Promise.allSettled([fails(), fails(), gate(async () => 'done')]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
