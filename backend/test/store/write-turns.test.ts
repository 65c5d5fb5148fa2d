import { describe, expect, it } from 'vitest';
import { createWriteTurns } from '../../src/store/write-turns.ts';

describe('turns to write', () => {
  it('are taken at once while nobody else writes', () => {
    const turns = createWriteTurns();
    let writes = 0;
    turns.take(() => {
      writes += 1;
    });
    expect(writes).toBe(1);
  });

  it('wait while one is lent, and go on in order when it is given back', () => {
    const turns = createWriteTurns();
    const events: string[] = [];
    let giveBack = () => {};
    turns.lend((returned) => {
      events.push('lent');
      giveBack = returned;
    });
    turns.take(() => events.push('first'));
    turns.lend((returned) => {
      events.push('lent again');
      giveBack = returned;
    });
    turns.take(() => events.push('second'));
    expect(events).toEqual(['lent']);
    giveBack();
    expect(events).toEqual(['lent', 'first', 'lent again']);
    giveBack();
    expect(events).toEqual(['lent', 'first', 'lent again', 'second']);
  });

  it('are given back once, however often that is said', () => {
    const turns = createWriteTurns();
    const given: (() => void)[] = [];
    turns.lend((returned) => given.push(returned));
    given[0]?.();
    turns.lend((returned) => given.push(returned));
    given[0]?.();
    let wrote = false;
    turns.take(() => {
      wrote = true;
    });
    expect(wrote).toBe(false);
    given[1]?.();
    expect(wrote).toBe(true);
  });
});
