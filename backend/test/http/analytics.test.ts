import { Analytics } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { checkError, serviceForTest, serviceWithKeyForFile } from '../support/service.ts';
import { FIREFOX, link, makeKey, NOON, submission } from '../support/store.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const terse = serviceWithKeyForFile({ TERSE_TRUSTED_PROXIES: '127.0.0.1', TERSE_COUNTRY_HEADER: 'X-Country' });

async function make(code: string): Promise<string> {
  await terse.store.createRequests.submit(submission(await makeKey(terse.store), { links: [link([code])] }));
  return code;
}
const click = (code: string, headers: Record<string, string> = {}) =>
  terse.visit(`/${code}`, { headers: { 'User-Agent': FIREFOX, ...headers } });
const ask = (code: string, query = '') =>
  terse.ask(`/api/v1/analytics/${code}${query}`, { headers: { 'X-API-Key': terse.key } });
const analytics = async (code: string, query = '') => {
  await terse.service.clicks.settle();
  terse.clock.now += 1000;
  const response = await ask(code, query);
  expect(response.status).toBe(200);
  return Analytics.parse(await response.json());
};

describe('analytics', () => {
  it('distinguish clicks, visitors and bots, and list their origins', async () => {
    await make('told');
    await click('told', { Referer: 'https://www.news.example:8443/path?secret', 'X-Country': 'de' });
    await click('told', { 'X-Country': 'DE' });
    await click('told', { 'User-Agent': IPHONE, Referer: 'http://NEWS.example/' });
    await click('told', { 'X-Forwarded-For': '203.0.113.7' });
    await click('told', { 'User-Agent': GOOGLEBOT, Referer: 'https://bot.example/' });
    expect(await analytics('told')).toMatchObject({
      shortCode: 'told',
      interval: 'day',
      clicks: 4,
      visitors: 3,
      bots: 1,
      referrers: [
        { name: null, clicks: 2 },
        { name: 'news.example', clicks: 2 },
      ],
      browsers: [
        { name: 'Firefox', clicks: 3 },
        { name: 'Mobile Safari', clicks: 1 },
      ],
      systems: [
        { name: 'Linux', clicks: 3 },
        { name: 'iOS', clicks: 1 },
      ],
      devices: [
        { name: 'desktop', clicks: 3 },
        { name: 'mobile', clicks: 1 },
      ],
      countries: [
        { name: null, clicks: 2 },
        { name: 'DE', clicks: 2 },
      ],
    });
  });

  it.each([
    ['Sec-Purpose', 'prefetch', 0],
    ['Sec-Purpose', 'prefetch;prerender', 0],
    ['Sec-Purpose', 'prefetch;anonymous-client-ip', 0],
    ['Purpose', 'prefetch', 0],
    ['X-Moz', 'prefetch', 0],
    ['X-Purpose', 'preview', 0],
    ['Sec-Purpose', 'nothing-known', 1],
    ['Sec-Fetch-Mode', 'navigate', 1],
  ])(
    'with the header %s: %s count %i visitors, because a browser that prefetches is not a visitor',
    async (name, value, clicks) => {
      const code = await make(`ahead-${name}-${value.replace(/\W/g, '')}`);
      const response = await click(code, { [name]: value, Referer: 'https://search.example/' });
      expect([response.status, response.headers.get('location')]).toEqual([302, 'https://example.com/']);
      const counted = await analytics(code);
      expect(counted).toMatchObject({ clicks, visitors: clicks, bots: 1 - clicks });
      expect(counted.referrers).toHaveLength(clicks);
    },
  );

  it.each(['XX', 'T1', 'DEU', 'ADE', '<b>', ''])('have no country if the proxy names %j', async (country) => {
    const code = await make(`from-${Buffer.from(country).toString('hex')}`);
    await click(code, { 'X-Country': country });
    expect((await analytics(code)).countries).toEqual([{ name: null, clicks: 1 }]);
  });

  it('have no country if the client that names it is not a trusted proxy', async () => {
    const { service, store, visit } = await serviceForTest({ TERSE_COUNTRY_HEADER: 'X-Country' });
    await store.links.create(FIRST_ACCOUNT, link(['direct']), NOON);
    await visit('/direct', { headers: { 'User-Agent': FIREFOX, 'X-Country': 'DE' } });
    await service.clicks.settle();
    const [day] = await store.clicks.days(1, 0, dayOf(NOON));
    expect(day?.counts.names.countries).toEqual(new Map([['', 1]]));
  });

  it('do not count HEAD requests, and match the clicks of the link', async () => {
    await make('headed');
    await terse.visit('/headed', { method: 'HEAD', headers: { 'User-Agent': FIREFOX } });
    await click('headed');
    expect(await analytics('headed')).toMatchObject({ clicks: 1, bots: 0 });
    const read = await terse.ask('/api/v1/urls/headed', { headers: { 'X-API-Key': terse.key } });
    expect(await read.json()).toMatchObject({ clicks: 1 });
  });

  it('cover the last thirty days by default, without gaps', async () => {
    await make('gapless');
    await click('gapless');
    const { from, to, series } = await analytics('gapless');
    expect([from, to]).toEqual(['2026-06-02', '2026-07-01']);
    expect(series.map(({ start }) => start)).toEqual(
      Array.from({ length: 30 }, (_, index) => new Date(Date.UTC(2026, 5, 2 + index)).toISOString()),
    );
    expect(series.map(({ clicks }) => clicks)).toEqual([...Array(29).fill(0), 1]);
  });

  it('are by UTC hour on request', async () => {
    await make('hourly');
    await click('hourly');
    const { series, clicks } = await analytics('hourly', '?from=2026-06-30&to=2026-07-01&interval=hour');
    expect([series.length, clicks]).toEqual([48, 1]);
    expect(series.find((hour) => hour.clicks > 0)).toMatchObject({ start: '2026-07-01T12:00:00.000Z', visitors: 1 });
    expect(await analytics('hourly', '?from=2026-06-29&to=2026-06-30')).toMatchObject({ clicks: 0, referrers: [] });
  });

  it.each([
    ['?from=yesterday', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?to=2026-07-01T12:00:00Z', 'to'],
    ['?from=2026-07-02&to=2026-07-01', 'from'],
    ['?from=2027-01-01', 'from'],
    ['?from=1969-12-31&to=1970-01-02', 'from'],
    ['?to=1969-12-31', 'to'],
    ['?to=0000-01-02', 'to'],
    ['?from=9999-12-31&to=%2B10000-01-01', 'to'],
    ['?from=10000-01-01&to=10000-01-02', 'from'],
    ['?from=2025-06-30&to=2026-07-01', '366'],
    ['?from=2020-01-01', '366'],
    ['?from=2026-05-01&interval=hour', '31'],
    ['?from=2010-01-01&interval=month', '3660'],
    ['?interval=week', 'interval'],
  ])('refuse %s with a message', async (query, word) => {
    terse.clock.now += 1000;
    const response = await ask('hourly', query);
    expect(response.status).toBe(400);
    expect((await checkError(response)).error).toContain(word);
  });

  it('need an existing link of the account', async () => {
    terse.clock.now += 1000;
    expect((await ask('nothing')).status).toBe(404);
    await make('deleted');
    await terse.store.links.remove(FIRST_ACCOUNT, ['deleted'], NOON);
    expect((await ask('deleted')).status).toBe(410);
  });
});

it('analytics by the month are available on request, and start with the first day of the range', async () => {
  await make('monthly');
  await click('monthly');
  const { interval, series } = await analytics('monthly', '?from=2026-05-10&to=2026-07-01&interval=month');
  expect(interval).toBe('month');
  expect(series.map(({ start, clicks }) => [start.slice(0, 10), clicks])).toEqual([
    ['2026-05-10', 0],
    ['2026-06-01', 0],
    ['2026-07-01', 1],
  ]);
});
