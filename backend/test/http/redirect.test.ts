import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { raw } from '../support/raw.ts';
import { serviceForFile } from '../support/service.ts';
import { link, makeKey, submission } from '../support/store.ts';

const URL_KEPT = 'https://example.com/%F0%9F%90%91/a%20b?q=%27x%27&r[]=1#frag%20ment';

const terse = serviceForFile();
beforeAll(async () => {
  const key = await makeKey(terse.store);
  const expiresAt = terse.clock.now + 60_000;
  const links = [link(['kept'], { url: URL_KEPT }), link(['gone']), link(['brief'], { expiresAt })];
  await terse.store.createRequests.submit(submission(key, { links }));
  await terse.store.links.remove(FIRST_ACCOUNT, ['gone'], terse.clock.now);
});

describe('a short URL', () => {
  it.each(['GET', 'HEAD'])('answers %s with 302 to exactly the stored URL', async (method) => {
    for (let times = 0; times < 2; times += 1) {
      const response = await terse.visit('/kept', { method });
      expect(response.status).toBe(302);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        location: URL_KEPT,
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
        'content-length': '0',
      });
    }
  });

  it('ignores the query of the short URL', async () => {
    const response = await terse.visit('/kept?url=https://evil.example/&redir_url=https://evil.example/');
    expect(response.headers.get('location')).toBe(URL_KEPT);
  });

  it.each(['/%6bept', '/%6B%65%70%74', '/kep%74?x', '/kept/', '/kept/?x', '/%6bept/'])(
    'also works as %s, with percent-encoded letters or a trailing slash',
    async (path) => {
      const response = await terse.visit(path);
      expect([response.status, response.headers.get('location')]).toEqual([302, URL_KEPT]);
    },
  );

  it('works with an absolute URL in the request, as sent by some proxies', async () => {
    const head = 'GET http://t.example/kept?x HTTP/1.0\r\nHost: t.example\r\n\r\n';
    expect(await raw(terse.service.addresses.short, head)).toMatch(/^HTTP\/1.1 302 /);
  });

  it('keeps no long headers and queries in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const codes = Array.from({ length: 400 }, (_, at) => `one-long-code-${at}`);
    for (const code of codes) await terse.store.links.create(FIRST_ACCOUNT, link([code]), terse.clock.now);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const long = 'x'.repeat(16_000);
    for (const code of codes) {
      const headers = { 'User-Agent': `${code} ${long}`, Referer: `https://${code}.example/${long}` };
      expect((await terse.visit(`/${code}?${long}`, { headers })).status).toBe(302);
    }
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  });

  it('stops redirecting when its link expires', async () => {
    expect((await terse.visit('/brief')).status).toBe(302);
    terse.clock.now += 60_000;
    expect((await terse.visit('/brief')).status).toBe(410);
  });

  it.each([
    ['/gone', 410],
    ['/nothing', 404],
    ['/KEPT', 404],
    ['/kept//', 404],
    ['//kept', 404],
    ['/kept/more', 404],
    ['/', 404],
    ['/a', 404],
    ['/favicon.ico', 404],
    ['/.well-known/security.txt', 404],
    ['/%6bep', 404],
    ['/%256bept', 404],
    ['/kept%2f', 404],
    ['/%6', 404],
    ['/%ff%fe%00', 404],
    [`/${'a'.repeat(65)}`, 404],
    ["/'%20OR%201=1", 404],
  ])('with the path %s answers %i with a page', async (path, status) => {
    const response = await terse.visit(path);
    expect(response.status).toBe(status);
    await checkPage(response);
    const head = await terse.visit(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([status, '']);
  });

  it.each(['.', ')', ',', '/.', '…”', '。）', '\u200b', '\u00a0', '\n', '").'])(
    'that was copied with the end of its sentence (%j) redirects, and does not count as a guess',
    async (ending) => {
      for (let visits = 0; visits < 15; visits += 1) {
        const response = await terse.visit(`/kept${encodeURIComponent(ending)}`);
        expect(response.headers.get('location')).toBe(URL_KEPT);
      }
      expect((await terse.visit(`/gone${encodeURIComponent(ending)}`)).status).toBe(410);
      expect((await terse.visit(`/nothing${encodeURIComponent(ending)}`)).status).toBe(404);
      terse.monotonic.now += 60_000;
    },
  );

  it('that ends like a sentence leads to its own link', async () => {
    await terse.store.links.create(FIRST_ACCOUNT, link(['kept!'], { url: 'https://exact.example/' }), 0);
    expect((await terse.visit('/kept!')).headers.get('location')).toBe('https://exact.example/');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('answers %s with 405', async (method) => {
    const response = await terse.visit('/kept', { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    await checkPage(response);
  });
});

async function checkPage(response: Response): Promise<void> {
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await response.text()).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
}
