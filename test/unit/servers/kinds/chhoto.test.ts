import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LinkChanges, NewLink } from '../../../../src/servers/adapter.ts';
import {
  editLink,
  listLinks,
  openServer,
  probeResult,
  probeServer,
  type Server,
  sendAttempt,
} from '../../../../src/servers/call-server.ts';
import { capabilitiesOf } from '../../../../src/servers/capabilities.ts';
import { chhotoAdapter } from '../../../../src/servers/chhoto.ts';
import { describeConformance } from '../conformance/conformance.ts';
import { FakeChhoto } from '../fakes/fake-chhoto.ts';

const url = 'https://example.com/page';
const YEAR_MS = 365 * 24 * 3_600_000;

describeConformance({
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
  ],
});

let fake: FakeChhoto;
let server: Server;

beforeEach(async () => {
  fake = new FakeChhoto();
  await fake.start();
  const { baseUrl, apiKey, now } = fake;
  server = openServer(fetch, { kind: 'chhoto', baseUrl, service: null }, apiKey, now);
});

afterEach(() => fake.stop());

async function create(link: Partial<NewLink>) {
  const links = [{ url, shortCode: 'k3v9', ...link, idempotencyKey: 'key' }];
  const body = JSON.stringify(links[0]);
  const { items } = await sendAttempt(server, { path: '', body, idempotencyKey: 'key', requestIds: ['1'], links });
  return items[0];
}

function list(cursor = '') {
  return listLinks(server, cursor);
}

function edit(changes: LinkChanges) {
  const link = { shortCode: 'k3v9', shortUrl: '' };
  return editLink(server, link, changes);
}

function inMs(time: number): string {
  return new Date(fake.now + time).toISOString();
}

describe('a short URL', () => {
  test('has the address of the connection if the server only knows itself as localhost', async () => {
    server.context.service = probeResult(await probeServer(server))?.service ?? null;
    expect(await create({})).toEqual({ kind: 'created', shortUrl: `${fake.baseUrl}/k3v9` });
    expect(await list()).toMatchObject({ value: { links: [{ shortUrl: `${fake.baseUrl}/k3v9` }] } });
  });

  test('has the configured address of the server', async () => {
    fake.siteUrl = 'https://go.example/';
    server.context.service = probeResult(await probeServer(server))?.service ?? null;
    expect(await create({})).toEqual({ kind: 'created', shortUrl: 'https://go.example/k3v9' });
    expect(await list()).toMatchObject({ value: { links: [{ shortUrl: 'https://go.example/k3v9' }] } });
  });

  test('is not taken from an answer about another code', async () => {
    fake.gateway = (response) =>
      response
        .writeHead(200)
        .end(JSON.stringify({ success: true, error: false, shorturl: 'https://a/b', expiry_time: 0 }));
    expect(await create({})).toMatchObject({ kind: 'unclear', code: 'not_understood' });
  });
});

describe('a probe', () => {
  test('detects if codes may contain capital letters', async () => {
    const accepts = () =>
      capabilitiesOf({ kind: 'chhoto', service: server.context.service }).ownCode?.pattern.test('MyCode');
    server.context.service = probeResult(await probeServer(server))?.service ?? null;
    expect(accepts()).toBe(false);
    fake.allowsCapitals = true;
    server.context.service = probeResult(await probeServer(server))?.service ?? null;
    expect(accepts()).toBe(true);
  });

  test.each([
    ['on a server for its owner', {}],
    ['on a public server', { isPublic: true }],
    ['on a server without a password', { hasPassword: false }],
    ['on a server without a key', { hasKey: false }],
  ])('recognizes a wrong key %s', async (_name, settings) => {
    Object.assign(fake, settings);
    server.context.apiKey = 'wrong';
    expect(await probeServer(server)).toMatchObject({ key: 'refused', service: { name: 'chhoto-url' } });
    expect(await create({})).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    expect(await list()).toMatchObject({ problem: 'unauthorized' });
  });
});

test('the key is sent even if it is empty, because answers without a key are plain text', async () => {
  fake.hasPassword = false;
  server.context.apiKey = '';
  expect(await create({})).toMatchObject({ kind: 'refused', code: 'unauthorized' });
  expect(fake.links).toEqual([]);
});

test.each([
  ['Größe – “naïve” café', 'Grosse - "naive" cafe'],
  ['Hello 🔥 world', 'Hello world'],
  ['日本語のタイトル', null],
  ['Привет, мир!', null],
  ['Tab\tand\nline', 'Tab and line'],
])('the title %s is stored in ASCII', async (title, stored) => {
  expect(await create({ title })).toMatchObject({ kind: 'created' });
  expect(fake.links).toMatchObject([{ title: stored }]);
});

describe('an expiry', () => {
  test('is computed when the request is sent', async () => {
    const expiresAt = inMs(3_600_000);
    fake.now += 600_000;
    server.context.now = fake.now;
    expect(await create({ expiresAt })).toMatchObject({ kind: 'created' });
    expect(fake.links).toMatchObject([{ expiresAt: Date.parse(expiresAt) }]);
    expect(fake.heard.at(-1)?.body).toContain('"expiry_delay":3000');
  });

  test('in less than half a second is sent as one second, because a link with a duration of 0 never expires', async () => {
    expect(await create({ expiresAt: inMs(400) })).toMatchObject({ kind: 'created' });
    expect(fake.links).toMatchObject([{ expiresAt: fake.now + 1_000 }]);
  });

  test('that the server would shorten to five years is refused', async () => {
    expect(await create({ expiresAt: inMs(6 * YEAR_MS) })).toMatchObject({ kind: 'refused', code: 'expiry_too_late' });
    expect(fake.heard).toEqual([]);
  });
});

describe('an expired link', () => {
  beforeEach(() => fake.add({ shortCode: 'k3v9', url: 'https://example.com/old', expiresAt: fake.now - 1_000 }));

  test('gives its code to the new link', async () => {
    expect(await create({})).toMatchObject({ kind: 'created' });
    expect(fake.links).toMatchObject([{ url, expiresAt: null }]);
  });

  test('gives its code only once, even if the answer is lost', async () => {
    fake.disturbance = 'lost_after';
    expect(await create({})).toMatchObject({ kind: 'unclear' });
    expect(await create({})).toMatchObject({ kind: 'created' });
    expect(fake.links).toHaveLength(1);
  });
});

test('an error of the server leaves it unclear if the link was stored', async () => {
  const failed = { success: false, error: true, reason: 'Something went wrong when adding the link.' };
  fake.gateway = (response) => response.writeHead(500).end(JSON.stringify(failed));
  expect(await create({})).toMatchObject({ kind: 'unclear', code: 'server_error' });
});

test('a URL that is too large for the server is not created', async () => {
  expect(await create({ url: `${url}?${'x'.repeat(300_000)}` })).toMatchObject({ kind: 'not_made' });
});

describe('an edit', () => {
  beforeEach(() => fake.add({ shortCode: 'k3v9', url, title: 'Old', clicks: 7, expiresAt: fake.now + YEAR_MS }));

  test('keeps the clicks and everything that did not change', async () => {
    const result = await edit({ title: 'New' });
    expect(result).toMatchObject({ value: { url, title: 'New', clicks: 7, expiresAt: fake.now + YEAR_MS } });
  });

  test('sets the expiry to a time, not to a duration', async () => {
    const expiresAt = inMs(3_600_000);
    expect(await edit({ expiresAt })).toMatchObject({ value: { expiresAt: Date.parse(expiresAt) } });
  });

  test.each([{ title: null }, { expiresAt: null }, { title: '日本語' }])(
    'that would remove a value is refused, because the server would ignore the change: %o',
    async (changes) => {
      expect(await edit(changes)).toMatchObject({ problem: 'refused' });
      expect(fake.links).toMatchObject([{ title: 'Old', expiresAt: fake.now + YEAR_MS }]);
    },
  );
});

describe('a list of several pages', () => {
  const codes = Array.from({ length: 150 }, (_, index) => `c${index}`);
  const remove = (code: string) => {
    const index = fake.links.findIndex((link) => link.shortCode === code);
    if (index >= 0) fake.links.splice(index, 1);
  };

  async function readAll(between: () => void): Promise<string[]> {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(cursor);
      if (!page || !('value' in page)) throw new Error('The page could not be read.');
      found.push(...page.value.links.map(({ shortCode }) => shortCode));
      cursor = page.value.nextCursor;
      between();
    }
    return found;
  }

  beforeEach(() => {
    for (const shortCode of codes) fake.add({ shortCode, url });
  });

  test('is read from new to old', async () => {
    expect(await readAll(() => {})).toEqual(codes.toReversed());
    expect(fake.heard).toHaveLength(2);
  });

  test('is read to its end if the last link of a page is deleted meanwhile', async () => {
    expect(await readAll(() => remove('c50'))).toEqual(codes.toReversed());
  });

  test('ends with a problem if the next page cannot be found, because the link before it was deleted', async () => {
    await expect(readAll(() => remove('c51'))).rejects.toThrow('The page could not be read.');
  });

  test('is read completely if the last page is full', async () => {
    for (const code of codes.slice(0, 50)) remove(code);
    expect(await readAll(() => {})).toEqual(codes.slice(50).toReversed());
  });
});
