import { beforeAll, describe, expect, it } from 'vitest';
import { importFile, outcome, problems } from '../support/imports.ts';
import { post } from '../support/service.ts';
import { ownerForFile } from '../support/visitor.ts';

/**
 * Texts that a database can refuse, percent-encoded: U+0000, a lone surrogate in CESU-8, and bytes that are not
 * UTF-8.
 */
const TEXTS = ['a%00b', 'a%ED%A0%80b', 'a%FF%C0b'];

const { terse, ada } = ownerForFile();
let key: string;
beforeAll(async () => {
  key = await terse.newKey({ throttle: 1000, quota: 1_000_000 });
});

const PAGES = [
  '/links/TEXT',
  '/links/TEXT/qr.svg',
  '/links?search=TEXT',
  '/links?tag=TEXT',
  '/links?domain=TEXT',
  '/links?after=TEXT',
  '/links?made=TEXT',
  '/links?deletedAt=TEXT',
  '/links?restored=TEXT',
  '/links/new?url=TEXT&text=TEXT&title=TEXT',
  '/links/export.csv?search=TEXT&tag=TEXT&domain=TEXT',
  '/links/import/TEXT',
  '/keys/TEXT',
  '/sign-in?next=TEXT',
  '/welcome/TEXT',
  '/assets/TEXT/TEXT',
];
const FORMS: [path: string, fields: string][] = [
  ['/links', 'url=https://example.com/TEXT&title=TEXT&tags=TEXT'],
  ['/links', 'url=https://example.com/&code=TEXT'],
  ['/links', 'url=https://example.com/&domain=TEXT'],
  ['/links/TEXT', 'url=https://example.com/'],
  ['/selection', 'action=csv&code=TEXT'],
  ['/selection', 'action=delete&code=TEXT&list=TEXT'],
  ['/selection/restore', 'deletedAt=1&list=TEXT'],
  ['/keys', 'name=TEXT&scope-create=1&quota=TEXT&throttle=TEXT'],
  ['/links/import/start', 'token=TEXT&confirmed=TEXT'],
  ['/account/invitations', 'name=TEXT'],
  ['/account/password', 'current=TEXT&password=TEXT&again=TEXT'],
  ['/sign-in', 'name=TEXT&password=TEXT'],
];
const ENDPOINTS = [
  '/api/v1/urls?search=TEXT',
  '/api/v1/urls?tag=TEXT',
  '/api/v1/urls?cursor=TEXT',
  '/api/v1/urls/TEXT',
  '/api/v1/urls/abc?domain=TEXT',
  '/api/v1/analytics/TEXT',
];

describe.each(TEXTS)('the text %s', (text) => {
  const filled = (template: string) => template.replaceAll('TEXT', text);

  it('is handled by every page that reads a text from its URL', async () => {
    for (const path of PAGES) expect((await ada.get(filled(path))).status, path).toBeLessThan(500);
    expect((await terse.visit(`/${text}`)).status).toBe(404);
  });

  it('is handled by every form', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const [path, fields] of FORMS) {
      const init = { method: 'POST', headers: { ...headers, Cookie: ada.cookie }, body: filled(fields) };
      const answer = await fetch(terse.service.addresses.api + filled(path), { redirect: 'manual', ...init });
      expect(answer.status, `${path} ${fields}`).toBeLessThan(500);
    }
  });

  it('is handled by every endpoint that reads a text from its URL', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    for (const path of ENDPOINTS) {
      expect((await terse.ask(filled(path), { headers })).status, path).toBeLessThan(500);
      terse.clock.now += 1000;
    }
  });
});

it.each(['a\0b', 'a\ud800b', '\udc00'])('the API answers for the JSON text %j in every field', async (text) => {
  let count = 0;
  for (const field of ['url', 'shortCode', 'domain', 'title', 'expiresAt', 'forwardQuery', 'tags']) {
    for (const value of [text, [text], `https://example.com/${text}`]) {
      const body = { url: 'https://example.com/', [field]: value };
      for (const [path, sent] of [
        ['/api/v1/urls', body],
        ['/api/v1/urls/batch', { urls: [body] }],
        ['/api/shorten', body],
      ] as const) {
        count += 1;
        const headers = { 'Idempotency-Key': `${field}-${count}` };
        expect((await terse.ask(path, post(key, sent, headers))).status).toBeLessThan(500);
      }
    }
  }
});

/** Fields of a file of an import, in the order of its columns. */
const COLUMNS = ['shortCode', 'shortUrl', 'domain', 'url', 'title', 'createdAt', 'expiresAt', 'tags', 'clicks'];

it.each(['a\0b', 'a\ud800b'])('an import accepts or refuses each row with %j and ends', async (text) => {
  const entries = COLUMNS.flatMap((column) =>
    [text, `https://${text}.example/${text}`, `https://example.com/${text}`].map((value) => ({
      url: 'https://example.com/',
      [column]: value,
    })),
  );
  const html = await importFile(ada, JSON.stringify(entries), `${text}.json`);
  expect(outcome(html)['Rows processed']).toBe(`${entries.length} of ${entries.length}`);
});

it('an import of CSV names the row with U+0000 in its short code', async () => {
  const html = await importFile(ada, 'shortCode,url\na%00b,https://example.com/\nfine,https://example.com/\n');
  expect(outcome(html)).toMatchObject({ 'New links': '1', 'Rows processed': '2 of 2' });
  expect(problems(html)).toEqual([['2', 'a\ufffdb', expect.stringContaining('cannot be used in a URL')]]);
});

it.each([
  ['a\u0007b', 'an invisible control character'],
  ['a\u202eb', 'an invisible control character'],
  ['team/../plan', '“.” or “..”'],
  ['./plan', '“.” or “..”'],
  ['team//plan', 'a part that is empty'],
  ['a\u00a0b', 'a space'],
])('an import says why the short code %j cannot be used', async (code, reason) => {
  const html = await importFile(ada, JSON.stringify([{ shortCode: code, url: 'https://example.com/' }]));
  expect(problems(html)).toEqual([['1', expect.anything(), expect.stringContaining(reason)]]);
});
