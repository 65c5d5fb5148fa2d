import { describe, expect, test } from 'vitest';
import { dailyCapFreeAt, dailyCapsFreeAt } from '../../../../src/queue/limits/daily-quota.ts';
import type { Send } from '../../../../src/queue/types.ts';
import { aQueue, aRequest, aSend, at, HOUR, NOW } from '../support/queue-builders.ts';

const freeAt = (sends: Send[], ms = 0) => dailyCapFreeAt(aRequest('a', { sends }), aQueue(), at(ms));

describe("the daily limit of a request's automatic sends", () => {
  test('is three sends', () => {
    expect(freeAt([])).toBeNull();
    expect(freeAt([aSend(), aSend()])).toBeNull();
    expect(freeAt([aSend(), aSend(), aSend()])).toBe(NOW + 25 * HOUR);
  });

  test('allows a send when the oldest of the last three is 25 hours old, not a millisecond earlier', () => {
    const sends = [aSend(), aSend(HOUR), aSend(2 * HOUR)];
    expect(freeAt(sends, 25 * HOUR - 1)).toBe(NOW + 25 * HOUR);
    expect(freeAt(sends, 25 * HOUR)).toBeNull();
  });

  test('allows a send at the right time if the recorded sends are not in order', () => {
    expect(freeAt([aSend(HOUR), aSend(), aSend(2 * HOUR)])).toBe(NOW + 25 * HOUR);
  });

  test("follows the service's clock, so a fast local clock allows nothing early", () => {
    const clockSample = { local: NOW, service: NOW - 9 * HOUR, workerId: 'first' };
    const queue = aQueue({ budget: { clockSample } });
    const request = aRequest('a', { sends: [aSend(-9 * HOUR), aSend(-9 * HOUR), aSend(-9 * HOUR)] });
    expect(dailyCapFreeAt(request, queue, at())).toBe(NOW + 25 * HOUR);
    const later = at(26 * HOUR, 'second');
    expect(dailyCapFreeAt(request, queue, later)).toBeNull();
    expect(dailyCapFreeAt(request, queue, later, true)).toBe(later.now + 25 * HOUR);
  });

  test('of several requests ends when the limit of each request has ended', () => {
    const requests = [aRequest('a'), aRequest('b', { sends: [aSend(), aSend(), aSend(HOUR)] })];
    expect(dailyCapsFreeAt(requests, aQueue(), at())).toBe(NOW + 25 * HOUR);
    const later = aRequest('c', { sends: [aSend(HOUR), aSend(HOUR), aSend(HOUR)] });
    expect(dailyCapsFreeAt([later, ...requests], aQueue(), at())).toBe(NOW + 26 * HOUR);
    expect(dailyCapsFreeAt([aRequest('a')], aQueue(), at())).toBeNull();
  });
});
