import { ShortenAnswer } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { raw } from '../support/raw.ts';
import { post, serviceForTest, serviceWithKeyForFile } from '../support/service.ts';
import { FIREFOX, link, NOON } from '../support/store.ts';

const terse = serviceWithKeyForFile({ TERSE_METRICS_LISTEN: '127.0.0.1:0' });

const metricsUrl = () => `${terse.service.addresses.metrics}/metrics`;
const scrape = async () => (await fetch(metricsUrl())).text();

async function value(line: string): Promise<number> {
  const found = (await scrape()).split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}

/**
 * Prefixes of metrics about client requests. Other metrics, such as garbage collection, can get new series at any
 * time.
 */
const CLIENTS = ['terse_http_', 'terse_limit_', 'terse_redirects_'];

async function seriesOfClients(): Promise<string[]> {
  const series = (await scrape()).split('\n').map((line) => line.slice(0, line.lastIndexOf(' ')));
  return series.filter((name) => CLIENTS.some((prefix) => name.startsWith(prefix)));
}

describe('the metrics', () => {
  it('are served by a separate listener, which serves nothing else', async () => {
    const response = await fetch(metricsUrl());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await terse.ask('/metrics')).status).toBe(404);
    expect((await terse.visit('/metrics')).status).toBe(404);
  });

  it('have headers against caching and sniffing', async () => {
    const [answered, headOnly] = [await fetch(metricsUrl()), await fetch(metricsUrl(), { method: 'HEAD' })];
    for (const { status, headers } of [answered, headOnly]) {
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(headOnly.headers.get('content-type')).toBe(answered.headers.get('content-type'));
    expect((await fetch(metricsUrl().replace('/metrics', '/healthz'))).status).toBe(404);
  });

  it('report count and duration of requests by route and status class', async () => {
    const made = await terse.ask('/api/shorten', post(terse.key, { url: 'https://example.com/secret' }));
    expect(made.status).toBe(200);
    await terse.ask('/nothing/here');
    const line = 'terse_http_request_duration_seconds_count';
    expect(await value(`${line}{method="POST",route="/api/shorten",status="2xx"}`)).toBe(1);
    expect(await value(`${line}{method="GET",route="none",status="4xx"}`)).toBeGreaterThan(0);
    await raw(terse.service.addresses.api, 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n');
    expect(await value(`${line}{method="other",route="none",status="4xx"}`)).toBe(1);
  });

  it('count redirects by outcome', async () => {
    const before = await value('terse_redirects_total{outcome="redirected"}');
    terse.clock.now += 2000;
    const made = await terse.ask('/api/shorten', post(terse.key, { url: 'https://example.com/' }));
    const { shortUrl } = ShortenAnswer.parse(await made.json());
    await terse.visit(shortUrl);
    await terse.visit('/unknown-code');
    await terse.visit(shortUrl, { method: 'POST' });
    await terse.store.links.create(FIRST_ACCOUNT, link(['euro'], { url: 'https://example.com/€' }), NOON);
    await terse.visit('/euro');
    expect(await value('terse_redirects_total{outcome="redirected"}')).toBe(before + 1);
    expect(await value('terse_redirects_total{outcome="failed"}')).toBe(1);
    expect(await value('terse_redirects_total{outcome="unknown"}')).toBeGreaterThan(0);
    expect(await value('terse_redirects_total{outcome="wrong_method"}')).toBe(1);
  });

  it('count requests that limits refused', async () => {
    terse.clock.now += 2000;
    const ask = () => terse.ask('/api/shorten', post(terse.key, { url: 'https://example.com/' }));
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
    expect(await value('terse_limit_refusals_total{limit="throttle"}')).toBe(1);
    for (let reads = 0; reads < 21; reads += 1) await terse.ask('/api/v1/key', { headers: { 'X-API-Key': terse.key } });
    expect(await value('terse_limit_refusals_total{limit="reads"}')).toBe(1);
  });

  it('report waiting and lost clicks, and the process', async () => {
    expect(await value('terse_clicks_waiting')).toBe(0);
    expect(await value('terse_clicks_lost_total')).toBe(0);
    expect(await value('terse_build_info{version="0.0.0-test"}')).toBe(1);
    expect(await value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('get no new series from client input, and contain no secrets', async () => {
    const askWhatNobodyHas = async (names: string[]) => {
      for (const [index, name] of names.entries()) {
        await terse.ask(`/made/up/${name}`, { method: index % 2 ? 'PUT' : 'PURGE' });
        await terse.ask(`/api/v1/urls/made-up-${name}`);
        await terse.visit(`/made-up-${name}`);
      }
    };
    await askWhatNobodyHas(['0', '1']);
    const before = new Set(await seriesOfClients());
    await askWhatNobodyHas(Array.from({ length: 18 }, (_, index) => `${index + 2}`));
    expect((await seriesOfClients()).filter((series) => !before.has(series))).toEqual([]);
    const text = await scrape();
    for (const secret of [terse.key, terse.key.slice(6, 20), 'example.com', 'secret', 'made-up', '127.0.0.1']) {
      expect(text, secret).not.toContain(secret);
    }
  });
});

it('metrics are off by default', async () => {
  const quiet = await serviceForTest();
  expect(quiet.service.addresses.metrics).toBeNull();
});

it('clicks are lost, counted and logged while ten million clicks wait to be counted', async () => {
  const full = await serviceForTest({ TERSE_METRICS_LISTEN: '127.0.0.1:0' });
  const made = await full.ask('/api/shorten', post(await full.newKey(), { url: 'https://example.com/' }));
  const { shortUrl } = ShortenAnswer.parse(await made.json());
  const headers = { 'User-Agent': FIREFOX };
  const visit = async () => expect((await full.visit(shortUrl, { headers })).status).toBe(302);
  const clicks = async () => {
    const text = await (await fetch(`${full.service.addresses.metrics}/metrics`)).text();
    return text.match(/^terse_clicks_\w+ .+$/gm);
  };
  // The service cannot read these clicks, so they wait until the test deletes them.
  await full.execute(`INSERT INTO waiting_clicks (day, size, clicks) VALUES (${dayOf(NOON)}, 9999999, 'unreadable')`);
  await expect.poll(clicks).toEqual(['terse_clicks_lost_total 0', 'terse_clicks_waiting 9999999']);
  await visit();
  await expect.poll(clicks).toEqual(['terse_clicks_lost_total 0', 'terse_clicks_waiting 10000000']);
  await visit();
  expect(await clicks()).toEqual(['terse_clicks_lost_total 1', 'terse_clicks_waiting 10000000']);
  expect(full.log.join()).toContain('their clicks could not be stored');

  await full.execute('DELETE FROM waiting_clicks WHERE size > 1');
  await expect.poll(async () => (await clicks())?.join()).toMatch(/clicks_waiting [01]$/);
  await visit();
  await full.service.clicks.settle();
  const { pathname } = new URL(shortUrl);
  expect(await full.store.links.find(FIRST_ACCOUNT, pathname.slice(1))).toMatchObject({ clicks: 2 });
});
