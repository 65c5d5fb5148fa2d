import { describe, expect, it } from 'vitest';
import { createWriteLock } from '../../src/store/interface/write-lock.ts';

describe('the write lock', () => {
  it('are taken at once while nobody else writes', () => {
    const lock = createWriteLock();
    let writes = 0;
    lock.take(() => {
      writes += 1;
    });
    expect(writes).toBe(1);
  });

  it('wait while one is lent, and go on in order when it is given back', () => {
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

  it('are given back once, however often that is said', () => {
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
