import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import { type Expiry, expiryAt, resetDefaultExpiry, startDefaultExpiry } from '../../../src/queue/default-expiry.ts';
import { aRequest, DAY, HOUR, NOW, specOnly, takesCodes } from './support/queue-builders.ts';

const service = takesCodes();
const chosen = { ...NO_OPTIONS, title: 'Title', expiresAt: '2027-01-01T00:00:00.000Z' };

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
    ['2026-05-31', '2026-06-30'],
  ])('of one month that starts on %s is %s', (from, to) => {
    expect(expiryAt('month', Date.parse(`${from}T12:00`))).toBe(Date.parse(`${to}T12:00`));
  });
});

describe('a default lifetime', () => {
  test('starts with the first send, and keeps the other options', () => {
    const request = aRequest('a', { defaultExpiry: 'day', options: { ...NO_OPTIONS, title: 'Title' } });
    const { options } = startDefaultExpiry(request, service, NOW);
    expect(options).toEqual({ ...NO_OPTIONS, title: 'Title', expiresAt: new Date(NOW + DAY).toISOString() });
  });

  test('does not affect later sends, requests without a default, or services without expiry dates', () => {
    const started = aRequest('a', { defaultExpiry: 'day', options: chosen });
    expect(startDefaultExpiry(started, service, NOW)).toBe(started);
    const without = aRequest('a');
    expect(startDefaultExpiry(without, service, NOW)).toBe(without);
    const request = aRequest('a', { defaultExpiry: 'day' });
    expect(startDefaultExpiry(request, specOnly, NOW)).toBe(request);
  });

  test('starts again if the request is retried, but an expiry date that the user chose stays', () => {
    const { options } = resetDefaultExpiry(aRequest('a', { defaultExpiry: 'day', options: chosen }));
    expect(options).toEqual({ ...chosen, expiresAt: null });
    const request = aRequest('a', { options: chosen });
    expect(resetDefaultExpiry(request)).toBe(request);
  });
});
