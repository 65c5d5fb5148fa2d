import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chhotoAdapter } from '../../../../src/servers/chhoto.ts';
import { Client, type Wanted } from '../conformance/client.ts';
import { type ConformanceCase, describeConformance } from '../conformance/conformance.ts';
import { FakeChhoto } from '../fakes/fake-chhoto.ts';

const url = 'https://example.com/page';
const YEAR_MS = 365 * 24 * 3_600_000;
const link = { shortCode: 'k3v9', shortUrl: '' };

const tested: ConformanceCase = {
  adapter: chhotoAdapter,
  newFake: () => new FakeChhoto(),
  pageSize: 100,
  refusals: [
    {
      name: 'the URL is invalid',
      given: () => ({ url: 'mailto:me@example.com' }),
      expected: { kind: 'refused', code: 'invalid_url', message: 'Invalid longlink!' },
    },
    {
      name: 'the code is invalid',
      given: () => ({ shortCode: 'MyCode' }),
      expected: { kind: 'refused', code: 'invalid_short_code', message: 'Invalid shortlink!' },
    },
    {
      name: 'the server would shorten the expiry to five years',
      given: ({ now }) => ({ expiresAt: new Date(now + 6 * YEAR_MS).toISOString() }),
      expected: { kind: 'refused', code: 'expiry_too_late' },
    },
    {
      name: 'the URL is too large for the server',
      given: () => ({ url: `${url}?${'x'.repeat(300_000)}` }),
      expected: { kind: 'not_made' },
    },
  ],
};

describeConformance(tested);

let fake: FakeChhoto;
let client: Client;

beforeEach(async () => {
  fake = new FakeChhoto();
  await fake.start();
  client = await Client.connect(tested, fake);
});
afterEach(() => fake.stop());

const create = (options: Partial<Wanted> = {}) => client.create({ url, shortCode: 'k3v9', ...options });

test.each([null, 'https://go.example/'])('a short URL has the address of the server (%s)', async (siteUrl) => {
  fake.siteUrl = siteUrl;
  client = await Client.connect(tested, fake);
  const shortUrl = siteUrl ? 'https://go.example/k3v9' : `${fake.baseUrl}/k3v9`;
  expect(await create()).toEqual({ kind: 'created', shortUrl });
  expect(await client.list('')).toMatchObject({ value: { links: [{ shortUrl }] } });
});

test('a short URL is not taken from an answer about another code', async () => {
  const other = { success: true, error: false, shorturl: 'https://a/b', expiry_time: 0 };
  fake.gateway = (response) => response.writeHead(200).end(JSON.stringify(other));
  expect(await create()).toMatchObject({ kind: 'unclear', code: 'not_understood' });
});

test.each([
  ['on a public server', { isPublic: true }],
  ['on a server without a password', { hasPassword: false }],
  ['on a server without a key', { hasKey: false }],
])('a wrong key is recognized %s', async (_name, settings) => {
  Object.assign(fake, settings);
  for (const key of ['wrong', '']) {
    client = client.withKey(key);
    expect(await client.probe()).toMatchObject({ key: 'refused', service: { name: 'chhoto-url' } });
    expect(await create()).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    expect(await client.list('')).toMatchObject({ problem: 'unauthorized' });
  }
});

test.each([
  ['Éclairs – naïve café', 'Eclairs naive cafe'],
  ['Hello 🔥 world', 'Hello world'],
  ['日本語のタイトル', null],
  ['Привет, мир!', null],
  ['Tab\tand\nline', 'Tab and line'],
])('the title %s is stored in ASCII', async (title, stored) => {
  expect(await create({ title })).toMatchObject({ kind: 'created' });
  expect(fake.links).toMatchObject([{ title: stored }]);
});

test.each([
  ['is computed when the request is sent', 3_600_000, 3_600_000],
  ['in less than half a second becomes one second, because 0 would mean that the link never expires', 400, 1_000],
])('an expiry %s', async (_name, duration, stored) => {
  const expiresAt = new Date(fake.now + 600_000 + duration).toISOString();
  fake.now += 600_000;
  client = await Client.connect(tested, fake);
  expect(await create({ expiresAt })).toMatchObject({ kind: 'created' });
  expect(fake.links).toMatchObject([{ expiresAt: fake.now + stored }]);
});

test('an expired link gives its code to one new link, even if the answer is lost', async () => {
  fake.add({ shortCode: 'k3v9', url: 'https://example.com/old', expiresAt: fake.now - 1_000 });
  fake.disturbance = 'lost_after';
  expect(await create()).toMatchObject({ kind: 'unclear' });
  expect(await create()).toMatchObject({ kind: 'created' });
  expect(fake.links).toMatchObject([{ url, expiresAt: null }]);
});

test('an error of the server leaves it unclear if the link was stored', async () => {
  const failed = { success: false, error: true, reason: 'Something went wrong when adding the link.' };
  fake.gateway = (response) => response.writeHead(500).end(JSON.stringify(failed));
  expect(await create()).toMatchObject({ kind: 'unclear', code: 'server_error' });
});

describe('an edit', () => {
  beforeEach(() => fake.add({ shortCode: 'k3v9', url, title: 'Old', clicks: 7, expiresAt: fake.now + YEAR_MS }));

  test('keeps the clicks', async () => {
    expect(await client.edit(link, { title: 'New' })).toMatchObject({ value: { title: 'New', clicks: 7 } });
  });

  test.each([{ title: null }, { expiresAt: null }, { title: '日本語' }])(
    'that would remove a value is refused, because the server would ignore the change: %o',
    async (changes) => {
      expect(await client.edit(link, changes)).toMatchObject({ problem: 'refused' });
      expect(fake.links).toMatchObject([{ title: 'Old', expiresAt: fake.now + YEAR_MS }]);
    },
  );
});

describe('a list of several pages', () => {
  const remove = (code: string) => {
    const index = fake.links.findIndex((one) => one.shortCode === code);
    if (index >= 0) fake.links.splice(index, 1);
  };

  /** Reads two pages of the list of the links c0 to c149. A link is deleted between them. */
  async function readPages(deleted: string) {
    for (let number = 0; number < 150; number += 1) fake.add({ shortCode: `c${number}`, url });
    const first = await client.list('');
    remove(deleted);
    const cursor = 'value' in first ? first.value.nextCursor : null;
    return client.list(cursor ?? '');
  }

  test('is read to its end if the last link of a page is deleted meanwhile', async () => {
    const page = await readPages('c50');
    const codes = 'value' in page ? page.value.links.map(({ shortCode }) => shortCode) : [];
    expect([codes.length, codes[0], codes.at(-1)]).toEqual([50, 'c49', 'c0']);
  });

  test('ends with a problem if the next page cannot be found, because the link before it was deleted', async () => {
    expect(await readPages('c51')).toMatchObject({ problem: 'not_understood' });
  });
});
