import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { ownerForEach, PASSWORD, textOf } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const make = (code: string, more: Record<string, string> = {}) =>
  ada.post('/links', { url: `https://example.com/${code}`, code, ...more });

describe('the page of a link', () => {
  async function clickTimes(code: string, times: number, headers: Record<string, string> = {}) {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
    for (let at = 0; at < times; at += 1)
      await terse.visit(`/${code}`, { headers: { 'User-Agent': agent, ...headers } });
    await terse.service.clicks.settle();
  }

  it('shows clicks, referrers and, separately, bots', async () => {
    await make('busy');
    await clickTimes('busy', 3, { Referer: 'https://news.example.org/story' });
    await clickTimes('busy', 2);
    await clickTimes('busy', 1, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    const html = await ada.page('/links/busy');
    const text = textOf(html);
    expect(text).toContain('5 clicks in 30 days 1 visitor. 1 bot, not counted. 5 clicks in total.');
    expect(text).toContain('1 Jul 2026, so far: 5 clicks, 1 visitor, 1 bot');
    expect(text).toMatch(/Referrers Clicks news\.example\.org 3 Direct 2/);
    expect(text).toMatch(/Browsers Clicks Firefox 5/);
    expect(text).toMatch(/Systems Clicks Linux 5/);
    expect(
      [...html.matchAll(/class="chart-bar"[^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height) > 0).at(-1),
    ).toBe(true);
    expect(textOf(await ada.page('/links'))).toContain(' 5 clicks ');
  });

  it('shows the requested period', async () => {
    await make('old1');
    await clickTimes('old1', 4);
    terse.clock.now += 10 * 86_400_000;
    await ada.post('/sign-in', { name: 'Ada', password: PASSWORD });
    await clickTimes('old1', 1);
    const clicksIn = async (period: string) =>
      / (\d+) clicks? in \d+ (?:hours|days|months) /.exec(textOf(await ada.page(`/links/old1?period=${period}`)))?.[1];
    expect(await clicksIn('day')).toBe('1');
    expect(await clicksIn('week')).toBe('1');
    expect(await clicksIn('month')).toBe('5');
    expect(await clicksIn('year')).toBe('5');
    expect(await clicksIn('bogus')).toBe('5');
  });

  it('escapes or omits referrers and browsers', async () => {
    await make('evil2');
    await clickTimes('evil2', 1, { Referer: 'javascript:alert(1)//<script>alert(1)</script>' });
    await clickTimes('evil2', 1, { 'User-Agent': '<script>alert(1)</script>/1.0', Referer: 'https://<b>.example/' });
    const html = await ada.page('/links/evil2');
    expect(html).not.toMatch(/<script>alert|<b>|javascript:/);
    expect(textOf(html)).toMatch(/\d clicks? in 30 days/);
  });

  it('has a QR code to download as SVG', async () => {
    await make('code1');
    const svg = await ada.get('/links/code1/qr.svg');
    expect([svg.headers.get('content-type'), svg.headers.get('content-disposition')]).toEqual([
      'image/svg+xml; charset=utf-8',
      'attachment; filename="qr-code1.svg"',
    ]);
    const drawing = await svg.text();
    const runs = [...drawing.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map((found) => found.slice(1).map(Number));
    const dark = new Set(
      runs.flatMap(([x = 0, y = 0, length = 0]) => Array.from({ length }, (_, at) => `${x + at},${y}`)),
    );
    const { data } = encode(`${terse.service.addresses.shortBaseUrl}/code1`, { border: 4, ecc: 'M' });
    const expected = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x},${y}`] : [])));
    expect(dark).toEqual(new Set(expected));
  });
});

describe('a deletion', () => {
  it('is not shown if an edited address names a deletion that never happened', async () => {
    await make('there');
    for (const invented of ['deletedAt=1', 'deletedAt=<b>', 'restored=<b>', 'made=nothing']) {
      expect(await ada.page(`/links?${invented}`)).not.toMatch(/deleted|restored|is ready|<b>/);
    }
  });
});
