import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/environment.ts';
import { LANGUAGES, type Language, readOwnPages } from '../../src/redirects/error-pages.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link, NOON } from '../support/store.ts';
import { folderForFile } from '../support/test-folder.ts';

let terse: TestService;
const folder = folderForFile();
let own: TestService;
const path = (name: string) => folder.file(name);
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(path(name), content);
  return path(name);
};

const OWN_PAGE = '<!doctype html><title>Ours</title><style>p { color: red }</style><p>Nothing here — ©';

async function start(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(environment);
  const { links } = service.store;
  for (const code of ['kept', 'gone']) await links.create(FIRST_ACCOUNT, link([code]), NOON);
  await links.remove(FIRST_ACCOUNT, ['gone'], NOON);
  return service;
}

beforeAll(async () => {
  terse = await start();
  own = await start({
    TERSE_HOME_URL: 'https://www.example.com/?a=1&b=<2>',
    TERSE_UNKNOWN_PAGE: `file:${write('unknown.html', OWN_PAGE)}`,
    TERSE_GONE_PAGE: 'https://www.example.com/gone',
  });
});
afterAll(async () => {
  await terse.stop();
  await own.stop();
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

describe("the operator's", () => {
  it('own page for unknown links is sent unchanged, and can run and load nothing', async () => {
    for (const address of ['/nothing', '/no/code']) {
      const response = await inLanguage(own, address, 'de');
      expect([response.status, await response.text()]).toEqual([404, OWN_PAGE]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; font-src data:",
      );
      expect([response.headers.get('vary'), response.headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
    const head = await own.visit('/nothing', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([404, String(Buffer.byteLength(OWN_PAGE))]);
  });

  it('URL for deleted links is used as the redirect', async () => {
    const response = await own.visit('/gone');
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://www.example.com/gone']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('home URL is the redirect target only of the host without a path', async () => {
    const home = 'https://www.example.com/?a=1&b=%3C2%3E';
    for (const address of ['/', '/?x=1']) {
      const response = await own.visit(address);
      expect([response.status, response.headers.get('location')]).toEqual([302, home]);
    }
    expect((await own.visit('/kept')).headers.get('location')).toBe('https://example.com/');
    expect((await own.visit('//')).status).toBe(404);
    expect((await terse.visit('/')).status).toBe(404);
    expect((await own.visit('/', { method: 'POST' })).status).toBe(405);
  });

  it('own page for unknown links does not affect the other pages', async () => {
    const response = await inLanguage(own, '/kept', 'de', { method: 'PUT' });
    expect(await response.text()).toContain(LANGUAGES.de.wrongMethod.title);
  });
});

it('robots may open short URLs, but not the dashboard', async () => {
  expect((await terse.visit('/robots.txt')).status).toBe(404);
  expect(await (await terse.ask('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
});

describe('the file of a page', () => {
  const problems = (environment: Record<string, string>) => {
    try {
      readOwnPages(readConfig(environment));
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  };

  it('prevents the start if it is invalid', () => {
    const found = [
      ...problems({ TERSE_UNKNOWN_PAGE: `file:${path('missing.html')}` }),
      ...problems({ TERSE_GONE_PAGE: `file:${write('latin.html', Uint8Array.of(0x3c, 0x70, 0x3e, 0xe9))}` }),
      ...problems({ TERSE_GONE_PAGE: `file:${write('empty.html', '')}` }),
    ];
    expect(found).toEqual([
      expect.stringMatching(/^TERSE_UNKNOWN_PAGE cannot be read: ENOENT.*missing\.html'\.$/),
      `TERSE_GONE_PAGE, ${path('latin.html')}: the file is not text in UTF-8.`,
      `TERSE_GONE_PAGE, ${path('empty.html')}: the file is empty.`,
    ]);
  });
});
