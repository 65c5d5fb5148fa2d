import { describe, expect, it } from 'vitest';
import { createWriteLock } from '../../src/store/interface/write-lock-between-threads.ts';

describe('the write lock', () => {
  it('is granted at once if nobody else writes', () => {
    const lock = createWriteLock();
    let writes = 0;
    lock.take(() => {
      writes += 1;
    });
    expect(writes).toBe(1);
  });

  it('is granted in order when it is released', () => {
    const lock = createWriteLock();
    const events: string[] = [];
    let giveBack = () => {};
    lock.lend((returned) => {
      events.push('lent');
      giveBack = returned;
    });
    lock.take(() => events.push('first'));
    lock.lend((returned) => {
      events.push('lent again');
      giveBack = returned;
    });
    lock.take(() => events.push('second'));
    expect(events).toEqual(['lent']);
    giveBack();
    expect(events).toEqual(['lent', 'first', 'lent again']);
    giveBack();
    expect(events).toEqual(['lent', 'first', 'lent again', 'second']);
  });

  it('is released once, even if release is called repeatedly', () => {
    const lock = createWriteLock();
    const given: (() => void)[] = [];
    lock.lend((returned) => given.push(returned));
    given[0]?.();
    lock.lend((returned) => given.push(returned));
    given[0]?.();
    let wrote = false;
    lock.take(() => {
      wrote = true;
    });
    expect(wrote).toBe(false);
    given[1]?.();
    expect(wrote).toBe(true);
  });
});
