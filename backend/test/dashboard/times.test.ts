import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timesIn } from '../../src/dashboard/times.ts';

/** Every zone a browser can name, and one by its offset. */
const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', '+05:30'];
const minutes = fc.integer({ min: 0, max: 60_000_000 }).map((minute) => minute * 60_000);

describe('a time', () => {
  it('typed as it is shown is the same instant, in every zone, but for the second of two equal hours', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), (instant, zone) => {
        const { fieldValue, read } = timesIn(zone);
        const again = read(fieldValue(instant)) as number;
        // Where clocks are set back, some time comes twice, and the first is meant: an hour mostly, a day at the date line.
        expect(again).toBeLessThanOrEqual(instant);
        expect(again).toBeGreaterThanOrEqual(instant - 86_400_000);
        expect(fieldValue(again)).toBe(fieldValue(instant));
      }),
    );
  });

  it('in an hour that is skipped is an hour later; in one that comes twice, the first', () => {
    const { read } = timesIn('Europe/Berlin');
    expect(read('2026-03-29T02:30')).toBe(Date.parse('2026-03-29T01:30Z'));
    expect(read('2026-10-25T02:30')).toBe(Date.parse('2026-10-25T00:30Z'));
  });

  it.each(['soon', '2026-02-30T00:00', '2026-07-01', '2026-07-01T24:00', '2026-07-01T12:00Z', '10000-01-01T00:00'])(
    '%j is none',
    (text) => {
      expect(timesIn('Europe/Berlin').read(text)).toBe('invalid');
    },
  );

  it('left out is none at all', () => {
    expect([timesIn('UTC').read(''), timesIn('UTC').read(' '), timesIn('UTC').fieldValue(null)]).toEqual([
      null,
      null,
      '',
    ]);
  });

  it('names its zone', () => {
    const noon = Date.parse('2026-07-01T12:00Z');
    expect(timesIn('UTC').minuteText(noon)).toBe('1 Jul 2026, 12:00 UTC');
    expect(timesIn('Asia/Kolkata').minuteText(noon)).toBe('1 Jul 2026, 17:30 GMT+5:30');
    expect(String(timesIn('Europe/Berlin').minute(noon))).toBe(
      '<time datetime="2026-07-01T12:00:00.000Z">1 Jul 2026, 14:00 CEST</time>',
    );
  });

  it('tells the hour of a day to whoever points at it', () => {
    expect(String(timesIn('Europe/Berlin').day(Date.parse('2026-07-01T12:00Z')))).toBe(
      '<time datetime="2026-07-01T12:00:00.000Z" title="1 Jul 2026, 14:00 CEST">1 Jul 2026</time>',
    );
  });

  it.each(['', 'Nowhere/At-All', '<b>', 'x'.repeat(10_000), '../UTC'])('of no zone, %j, is in UTC', (zone) => {
    expect(timesIn(zone).zone).toBe('UTC');
  });
});
