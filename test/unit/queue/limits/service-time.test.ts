import { expect, onTestFinished, test, vi } from 'vitest';
import { startClock } from '../../../../src/queue/limits/clock-changes.ts';
import { HOUR, NOW, SECOND } from '../support/queue-builders.ts';

/** Returns a computer whose wall clock and monotonic clock move independently. */
function aComputer() {
  const clocks = { wall: NOW, monotonic: 70 };
  let workers = 0;
  const clock = startClock({ wall: () => clocks.wall, monotonic: () => clocks.monotonic }, () => {
    workers += 1;
    return `worker-${workers}`;
  });
  const pass = (ms: number) => {
    clocks.wall += ms;
    clocks.monotonic += ms;
  };
  return { clocks, clock, pass };
}

test('time is continuous under one worker', () => {
  const { clock, pass } = aComputer();
  expect(clock()).toEqual({ now: NOW, workerId: 'worker-1' });
  pass(HOUR);
  expect(clock()).toEqual({ now: NOW + HOUR, workerId: 'worker-1' });
});

test('a clock correction of less than two seconds changes nothing', () => {
  const { clocks, clock, pass } = aComputer();
  pass(SECOND);
  clocks.wall -= 2 * SECOND;
  expect(clock()).toEqual({ now: NOW + SECOND, workerId: 'worker-1' });
});

test("after a computer's sleep there is a new worker id and the wall clock's time", () => {
  const { clocks, clock, pass } = aComputer();
  clocks.wall += 8 * HOUR;
  expect(clock()).toEqual({ now: NOW + 8 * HOUR, workerId: 'worker-2' });
  pass(SECOND);
  expect(clock()).toEqual({ now: NOW + 8 * HOUR + SECOND, workerId: 'worker-2' });
});

test('after a clock change there is a new worker id too', () => {
  const { clocks, clock } = aComputer();
  clocks.wall -= 26 * HOUR;
  expect(clock()).toEqual({ now: NOW - 26 * HOUR, workerId: 'worker-2' });
  clocks.wall += 26 * HOUR;
  expect(clock()).toEqual({ now: NOW, workerId: 'worker-3' });
});

test('without given clocks, the time comes from the clocks of the computer', () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ now: NOW });
  const clock = startClock();
  const { workerId } = clock();
  expect(workerId).toMatch(/^[0-9a-f-]{36}$/);
  vi.advanceTimersByTime(HOUR);
  expect(clock()).toEqual({ now: NOW + HOUR, workerId });
});
