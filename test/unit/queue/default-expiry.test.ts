import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { expiryAt, freeze } from '../../../src/queue/sending.ts';
import type { Expiry, Request } from '../../../src/queue/types.ts';
import { aRequest, DAY, HOUR, NOW, specOnly, takesCodes } from './support/queue-builders.ts';

const service = takesCodes();

describe('the end of a default lifetime', () => {
  test.each<[Expiry, number | null]>([
    ['never', null],
    ['hour', NOW + HOUR],
    ['day', NOW + DAY],
    ['week', NOW + 7 * DAY],
    ['month', NOW + 31 * DAY],
  ])('is calculated for the choice "%s"', (expiry, end) => {
    expect(expiryAt(expiry, NOW)).toBe(end);
  });

  test.each([
    ['2026-01-31', '2026-02-28'],
    ['2028-01-31', '2028-02-29'],
    ['2026-01-28', '2026-02-28'],
    ['2026-12-31', '2027-01-31'],
  ])('of one month that starts on %s is %s', (from, to) => {
    expect(expiryAt('month', Date.parse(`${from}T12:00`))).toBe(Date.parse(`${to}T12:00`));
  });
});

describe('a default lifetime', () => {
  const defaulted = aRequest('a', { defaultExpiry: 'day' });
  const inADay = new Date(NOW + DAY).toISOString();
  const sentAt = (request: Request, connection = service, now = NOW) =>
    freeze(request, connection, now).sent.item.expiresAt;

  test('starts with the first send, and later sends keep its end', () => {
    expect(sentAt(defaulted)).toBe(inADay);
    expect(sentAt(freeze(defaulted, service, NOW), service, NOW + HOUR)).toBe(inADay);
  });

  test('does not replace a chosen date, and does not matter to servers without expiry dates', () => {
    const options = { ...NO_OPTIONS, expiresAt: '2027-01-01T00:00:00.000Z' };
    expect(sentAt({ ...defaulted, options })).toBe(options.expiresAt);
    expect(sentAt(defaulted, specOnly)).toBeUndefined();
    expect(sentAt(aRequest('a'))).toBeUndefined();
  });
});
