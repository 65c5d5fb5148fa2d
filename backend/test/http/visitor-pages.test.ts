import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../src/redirects/error-pages.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link, NOON } from '../support/store.ts';

let terse: TestService;
let withHome: TestService;

async function start(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(environment);
  const { links } = service.store;
  for (const code of ['kept', 'gone']) await links.create(FIRST_ACCOUNT, link([code]), NOON);
  await links.remove(FIRST_ACCOUNT, ['gone'], NOON);
  return service;
}

beforeAll(async () => {
  terse = await start();
  withHome = await start({ TERSE_HOME_URL: 'https://www.example.com/?a=1&b=<2>' });
});
afterAll(async () => {
  await terse.stop();
  await withHome.stop();
});

const inLanguage = (service: TestService, address: string, language: string, init?: RequestInit) =>
  service.visit(address, { ...init, headers: { 'Accept-Language': language } });

describe('a page for a visitor', () => {
  it.each(Object.keys(LANGUAGES) as Language[])('is in %s if the browser prefers it', async (language) => {
    for (const [address, status, name] of [
      ['/nothing', 404, 'unknown'],
      ['/gone', 410, 'gone'],
    ] as const) {
      const response = await inLanguage(terse, address, `xx, ${language};q=0.9, en;q=0.1`);
      expect([response.status, response.headers.get('content-language')]).toEqual([status, language]);
      expect(response.headers.get('vary')).toBe('Accept-Language');
      const html = await response.text();
      const dir = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
      expect(html).toMatch(
        new RegExp(`^<!doctype html>\n<html lang="${language}" dir="${dir}">\n<meta charset="utf-8">`),
      );
      const { title, sentence } = LANGUAGES[language][name];
      expect(html).toContain(`<h1>${title}</h1>\n  <p>${sentence}</p>`);
      expect(html).toContain(`<title>${title}</title>`);
      const head = await inLanguage(terse, address, language, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(html)));
    }
  });

  it('is also translated for other errors than an unknown link', async () => {
    const refused = await inLanguage(terse, '/kept', 'de', { method: 'POST' });
    expect([refused.status, await refused.text()]).toEqual([
      405,
      expect.stringContaining(LANGUAGES.de.wrongMethod.title),
    ]);
    const service = await start();
    for (let guess = 0; guess < 60; guess += 1) await service.visit(`/guess-${guess}`);
    const many = await inLanguage(service, '/guess-more', 'ar');
    expect([many.status, await many.text()]).toEqual([429, expect.stringContaining(LANGUAGES.ar.throttled.title)]);
    expect(Number(many.headers.get('retry-after'))).toBeGreaterThan(0);
    const { close } = service.store;
    await close();
    service.store.close = async () => {};
    service.monotonic.now += 60_000;
    const failed = await inLanguage(service, '/anything', 'ja');
    expect([failed.status, await failed.text()]).toEqual([503, expect.stringContaining(LANGUAGES.ja.failed.title)]);
    expect(service.log.join('')).toContain('a redirect failed');
    await service.stop().catch(() => {});
  });

  it('can run and load nothing', async () => {
    const { headers } = await terse.visit('/nothing');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is in English if the browser sends no valid preference', async () => {
    for (const header of ['', 'xx', ';', '<script>alert(1)</script>', '"'.repeat(400)]) {
      const response = await inLanguage(terse, '/nothing', header);
      expect(response.headers.get('content-language')).toBe('en');
      expect(await response.text()).not.toContain('<script>');
    }
  });

  it('does not affect redirects, which do not depend on languages', async () => {
    const response = await inLanguage(terse, '/kept', 'de');
    expect(response.status).toBe(302);
    expect([response.headers.get('vary'), response.headers.get('content-language')]).toEqual([null, null]);
  });
});

it('the home URL is the redirect target only of the host without a path', async () => {
  const home = 'https://www.example.com/?a=1&b=%3C2%3E';
  for (const address of ['/', '/?x=1']) {
    const response = await withHome.visit(address);
    expect([response.status, response.headers.get('location')]).toEqual([302, home]);
  }
  expect((await withHome.visit('/kept')).headers.get('location')).toBe('https://example.com/');
  expect((await withHome.visit('//')).status).toBe(404);
  expect((await terse.visit('/')).status).toBe(404);
  expect((await withHome.visit('/', { method: 'POST' })).status).toBe(405);
});

it('robots may open short URLs, but not the dashboard', async () => {
  expect((await terse.visit('/robots.txt')).status).toBe(404);
  expect(await (await terse.ask('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
});
