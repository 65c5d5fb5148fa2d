import { describe, expect, it } from 'vitest';
import { readClickHeaders } from '../../src/clicks/record-click.ts';

describe('the headers of a click', () => {
  it('are its user agent and its referrer', () => {
    const headers = { host: 'x', 'user-agent': 'Firefox', referer: 'https://a.example/', 'x-moz-other': 'prefetch' };
    expect(readClickHeaders(headers)).toEqual({ agent: 'Firefox', referrer: 'https://a.example/', isPrefetch: false });
    expect(readClickHeaders({})).toEqual({ agent: '', referrer: '', isPrefetch: false });
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
    expect(readClickHeaders({ accept: '*/*', [name.toLowerCase()]: value }).isPrefetch).toBe(isPrefetch);
  });
});
