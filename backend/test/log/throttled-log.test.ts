import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottledLog } from '../../src/log/log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('the first event, also after a pause, is logged at once, and later events as a count', () => {
  const logged: unknown[][] = [];
  const throttled = createThrottledLog(60_000, (...one) => logged.push(one));
  const happen = (times: number, reason: string) => {
    for (let index = 0; index < times; index += 1) throttled.add(1, reason);
  };
  happen(1000, 'first');
  expect(logged.splice(0)).toEqual([[1, 'first']]);
  happen(5, 'second');
  vi.advanceTimersByTime(60_000);
  expect(logged.splice(0)).toEqual([[1004, 'second']]);
  happen(2, 'third');
  vi.advanceTimersByTime(60_000);
  expect(logged.splice(0)).toEqual([[2, 'third']]);
  vi.advanceTimersByTime(60_000);
  happen(1, 'fourth');
  expect(logged.splice(0)).toEqual([[1, 'fourth']]);
});

it('a flush logs the events that were not logged yet', () => {
  const logged: unknown[][] = [];
  const throttled = createThrottledLog(60_000, (...one) => logged.push(one));
  throttled.add(3, 'a');
  throttled.add(4, 'b');
  throttled.flush();
  throttled.flush();
  expect(logged).toEqual([
    [3, 'a'],
    [4, 'b'],
  ]);
});
