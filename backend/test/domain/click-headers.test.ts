import { describe, expect, it } from 'vitest';
import { readClickHeaders } from '../../src/clicks/record-click.ts';

describe('the headers of a click', () => {
  it('are found in any case, and other headers are ignored', () => {
    const raw = ['Host', 'x', 'USER-agent', 'Firefox', 'referer', 'https://a.example/', 'X-Moz-Other', 'prefetch'];
    expect(readClickHeaders(raw)).toEqual({ agent: 'Firefox', referrer: 'https://a.example/', isPrefetch: false });
    expect(readClickHeaders([])).toEqual({ agent: '', referrer: '', isPrefetch: false });
  });

  it('use the first value if there are several, as Node does', () => {
    const raw = [
      'User-Agent',
      '',
      'User-Agent',
      'second',
      'Referer',
      'https://a.example/',
      'Referer',
      'https://b.example/',
    ];
    expect(readClickHeaders(raw)).toMatchObject({ agent: '', referrer: 'https://a.example/' });
  });

  it.each([
    ['Sec-Purpose', 'prefetch;prerender', true],
    ['Purpose', ' Preview', true],
    ['X-moz', 'prefetch', true],
    ['X-Purpose', 'preview', true],
    ['Purpose', 'prefetcher', false],
    ['Sec-Purpose', 'navigate', false],
    ['Content-Purpose', 'prefetch', false],
  ])('with the field %s: %s tell if it is a prefetch (%s)', (name, value, isPrefetch) => {
    expect(readClickHeaders(['Accept', '*/*', name, value]).isPrefetch).toBe(isPrefetch);
  });
});
