import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottledLog } from '../../src/log/throttled-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('tells at once, then how often since and the latest reason, and at once again after a quiet while', () => {
  const told: unknown[][] = [];
  const paced = createThrottledLog(60_000, (...one) => told.push(one));
  const happen = (times: number, reason: string) => {
    for (let index = 0; index < times; index += 1) paced.add(1, reason);
  };
  happen(1000, 'first');
  expect(told.splice(0)).toEqual([[1, 'first']]);
  happen(5, 'second');
  vi.advanceTimersByTime(60_000);
  expect(told.splice(0)).toEqual([[1004, 'second']]);
  happen(2, 'third');
  vi.advanceTimersByTime(60_000);
  expect(told.splice(0)).toEqual([[2, 'third']]);
  vi.advanceTimersByTime(60_000);
  happen(1, 'fourth');
  expect(told.splice(0)).toEqual([[1, 'fourth']]);
});

it('tells the rest when it is asked to', () => {
  const told: unknown[][] = [];
  const paced = createThrottledLog(60_000, (...one) => told.push(one));
  paced.add(3, 'a');
  paced.add(4, 'b');
  paced.flush();
  paced.flush();
  expect(told).toEqual([
    [3, 'a'],
    [4, 'b'],
  ]);
});
