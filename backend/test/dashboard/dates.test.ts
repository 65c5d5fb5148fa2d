import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateFormatsFor } from '../../src/dashboard/components/dates-and-numbers.ts';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', '+05:30'];
const minutes = fc.integer({ min: 0, max: 60_000_000 }).map((minute) => minute * 60_000);

describe('a time', () => {
  it('round-trips in every time zone, except in the second of two repeated hours', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), (instant, zone) => {
        const { fieldValue, read } = dateFormatsFor(zone);
        const again = read(fieldValue(instant)) as number;
        // When clocks are set back, local times repeat, and the form uses the first of the two. Usually one hour
        // repeats. At the date line, a whole day repeats.
        expect(again).toBeLessThanOrEqual(instant);
        expect(again).toBeGreaterThanOrEqual(instant - 86_400_000);
        expect(fieldValue(again)).toBe(fieldValue(instant));
      }),
    );
  });

  it('in a skipped hour moves an hour later, and in a repeated hour the first is used', () => {
    const { read } = dateFormatsFor('Europe/Berlin');
    expect(read('2026-03-29T02:30')).toBe(Date.parse('2026-03-29T01:30Z'));
    expect(read('2026-10-25T02:30')).toBe(Date.parse('2026-10-25T00:30Z'));
  });

  it.each(['soon', '2026-02-30T00:00', '2026-07-01', '2026-07-01T24:00', '2026-07-01T12:00Z', '10000-01-01T00:00'])(
    '%j is invalid',
    (text) => {
      expect(dateFormatsFor('Europe/Berlin').read(text)).toBe('invalid');
    },
  );

  it('is null if the field is empty', () => {
    expect([
      dateFormatsFor('UTC').read(''),
      dateFormatsFor('UTC').read(' '),
      dateFormatsFor('UTC').fieldValue(null),
    ]).toEqual([null, null, '']);
  });

  it('is shown with its time zone', () => {
    const noon = Date.parse('2026-07-01T12:00Z');
    expect(dateFormatsFor('UTC').minuteText(noon)).toBe('1 Jul 2026, 12:00 UTC');
    expect(dateFormatsFor('Asia/Kolkata').minuteText(noon)).toBe('1 Jul 2026, 17:30 GMT+5:30');
    expect(String(dateFormatsFor('Europe/Berlin').minute(noon))).toBe(
      '<time datetime="2026-07-01T12:00:00.000Z">1 Jul 2026, 14:00 CEST</time>',
    );
  });

  it('shows the time of a day in its tooltip', () => {
    expect(String(dateFormatsFor('Europe/Berlin').day(Date.parse('2026-07-01T12:00Z')))).toBe(
      '<time datetime="2026-07-01T12:00:00.000Z" title="1 Jul 2026, 14:00 CEST">1 Jul 2026</time>',
    );
  });

  it.each(['', 'Nowhere/At-All', '<b>', 'x'.repeat(10_000), '../UTC'])('in the unknown zone %j is in UTC', (zone) => {
    expect(dateFormatsFor(zone).zone).toBe('UTC');
  });
});
