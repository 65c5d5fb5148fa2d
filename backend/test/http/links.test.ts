import { ErrorBody, HEADER, INVALID_URL_MESSAGE, Link } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { post, serviceWithKeyForEach } from '../support/service.ts';
import { FIREFOX, NOON } from '../support/store.ts';

const URL_GIVEN = 'https://example.com/a b';

const terse = serviceWithKeyForEach({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' });

/** Moves the clock forward, so that the request is not throttled, and sends it. */
const ask = (path: string, init: RequestInit) => {
  terse.clock.now += 1000;
  return terse.ask(path, init);
};
const create = (body: unknown, headers?: Record<string, string>) => ask('/api/v1/urls', post(terse.key, body, headers));
const one = (code: string, method = 'GET', apiKey = terse.key) =>
  ask(`/api/v1/urls/${code}`, { method, headers: { [HEADER.apiKey]: apiKey } });
const errorOf = async (response: Response) => [response.status, ErrorBody.parse(await response.json()).code];

describe('POST /api/v1/urls', () => {
  it('creates the requested link, returns its location, and redirects to it', async () => {
    const response = await create({
      url: URL_GIVEN,
      shortCode: 'My_page-1',
      title: ' A\n "title" 🦦\u0000 ',
      expiresAt: '2026-07-02T14:00:00+02:00',
    });
    expect(response.status).toBe(201);
    const link = Link.parse(await response.json());
    expect(link).toEqual({
      shortCode: 'My_page-1',
      shortUrl: `${terse.service.addresses.shortBaseUrl}/My_page-1`,
      domain: terse.service.addresses.short.replace('http://', ''),
      url: 'https://example.com/a%20b',
      title: 'A "title" 🦦',
      createdAt: new Date(terse.clock.now).toISOString(),
      expiresAt: '2026-07-02T12:00:00.000Z',
      clicks: 0,
      importedClicks: 0,
      forwardQuery: false,
      tags: [],
    });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`${terse.service.addresses.baseUrl}/api/v1/urls/My_page-1`);
    const path = location.replace(terse.service.addresses.baseUrl, '');
    const read = await ask(path, { headers: { [HEADER.apiKey]: terse.key } });
    expect(await read.json()).toEqual(link);
    expect((await terse.visit('/My_page-1')).headers.get('location')).toBe(link.url);
  });

  it('generates a code if none is given, and treats null as missing', async () => {
    const response = await create({ url: URL_GIVEN, shortCode: null, title: null, expiresAt: null, more: 1 });
    expect(Link.parse(await response.json())).toMatchObject({
      shortCode: expect.stringMatching(/^[2-9A-HJ-NP-Za-hjkm-z]{7}$/),
      title: null,
      expiresAt: null,
    });
  });

  it.each([
    [{}, 'invalid_url'],
    [{ url: 'http://10.0.0.1/' }, 'target_refused'],
    [{ url: URL_GIVEN, shortCode: 'ab' }, 'invalid_short_code'],
    [{ url: URL_GIVEN, shortCode: 12345 }, 'invalid_short_code'],
    [{ url: URL_GIVEN, shortCode: 'API' }, 'invalid_short_code'],
    [{ url: URL_GIVEN, expiresAt: 'tomorrow' }, 'invalid_expiry'],
    [{ url: URL_GIVEN, expiresAt: '2027-01-01' }, 'invalid_expiry'],
    [{ url: URL_GIVEN, expiresAt: '2027-02-30T00:00:00Z' }, 'invalid_expiry'],
    [{ url: URL_GIVEN, expiresAt: '2020-01-01T00:00:00Z' }, 'invalid_expiry'],
    [{ url: URL_GIVEN, expiresAt: new Date(NOON + 1000).toISOString() }, 'invalid_expiry'],
    [{ url: URL_GIVEN, expiresAt: 1_900_000_000 }, 'invalid_expiry'],
    [{ url: URL_GIVEN, expiresAt: '9999-12-31T23:59:59-23:59' }, 'invalid_expiry'],
    [{ url: URL_GIVEN, title: 'a'.repeat(301) }, 'invalid_title'],
    [{ url: URL_GIVEN, title: '🦦'.repeat(301) }, 'invalid_title'],
    [{ url: URL_GIVEN, title: {} }, 'invalid_title'],
    [[], 'invalid_request'],
    ['{', 'invalid_json'],
  ])('refuses %j with %s', async (body, code) => {
    const response = await create(body);
    expect(response.headers.get('location')).toBeNull();
    const answer = ErrorBody.parse(await response.json());
    expect([response.status, answer.code]).toEqual([400, code]);
    if (code === 'invalid_url' || code === 'target_refused') expect(answer.error).toBe(INVALID_URL_MESSAGE);
  });

  it.each([
    ['https://a:b@example.com/', /^This URL contains a user name or a password\. Remove/],
    [`https://example.com/${'a'.repeat(9000)}`, /^This URL is too long\. .* 8,192 bytes\.$/],
  ])('refuses a URL (%#) with invalid_url and the reason, alone and in an edit', async (url, reason) => {
    const { shortCode } = Link.parse(await (await create({ url: URL_GIVEN })).json());
    const edit = { ...post(terse.key, { url }), method: 'PATCH' };
    for (const response of [await create({ url }), await terse.ask(`/api/v1/urls/${shortCode}`, edit)]) {
      expect(response.status).toBe(400);
      const refused = { code: 'invalid_url', error: expect.stringMatching(reason) };
      expect(ErrorBody.parse(await response.json())).toEqual(refused);
    }
  });

  it('counts an emoji of a title once', async () => {
    for (const length of [151, 300]) {
      const response = await create({ url: URL_GIVEN, title: '🦦'.repeat(length) });
      expect(Link.parse(await response.json()).title).toBe('🦦'.repeat(length));
    }
  });

  it.each([
    ['2027-01-01t00:00:00z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T01:30:00.5+01:30', '2027-01-01T00:00:00.500Z'],
    ['2027-06-30T23:59:60Z', '2027-07-01T00:00:00.000Z'],
  ])('accepts the expiry %s of RFC 3339', async (expiresAt, taken) => {
    expect(Link.parse(await (await create({ url: URL_GIVEN, expiresAt })).json()).expiresAt).toBe(taken);
  });

  it('issues a code only once', async () => {
    expect((await create({ url: URL_GIVEN, shortCode: 'wanted' })).status).toBe(201);
    expect(await errorOf(await create({ url: URL_GIVEN, shortCode: 'wanted' }))).toEqual([409, 'short_code_taken']);
    expect((await create({ url: URL_GIVEN, shortCode: 'WANTED' })).status).toBe(201);
  });

  it('replays the first response, including Location', async () => {
    const twin = { [HEADER.idempotencyKey]: 'twin' };
    const first = await create({ url: URL_GIVEN, shortCode: 'single' }, twin);
    const again = await create({ url: URL_GIVEN, shortCode: 'single' }, twin);
    expect([again.status, again.headers.get(HEADER.idempotencyReplayed)]).toEqual([201, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await again.text()).toBe(await first.text());
  });
});

describe('GET /api/v1/urls/{shortCode}', () => {
  it('returns an expired link like any other, and an edit of its expiry revives it', async () => {
    const expiresAt = new Date(terse.clock.now + 60_000).toISOString();
    await create({ url: URL_GIVEN, shortCode: 'brief', expiresAt });
    terse.clock.now += 3_600_000;
    expect((await terse.visit('/brief')).status).toBe(410);
    expect(await (await one('brief')).json()).toMatchObject({ shortCode: 'brief', expiresAt });
    const edit = { ...post(terse.key, { expiresAt: null }), method: 'PATCH' };
    expect((await ask('/api/v1/urls/brief', edit)).status).toBe(200);
    expect((await terse.visit('/brief')).status).toBe(302);
  });

  it('answers HEAD with the same headers and no body', async () => {
    await create({ url: URL_GIVEN, shortCode: 'mine' });
    const [get, head] = [await one('mine'), await one('mine', 'HEAD')];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });

  it.each(['nothing', 'ab', '%00%00%00', '%', "'%20OR%201=1", 'a'.repeat(65), '%F0%9F%A6%A6', 'MINE', 'batch2'])(
    'answers 404 for the code %s',
    async (code) => {
      await create({ url: URL_GIVEN, shortCode: 'mine' });
      for (const method of ['GET', 'DELETE']) {
        expect(await errorOf(await one(code, method))).toEqual([404, 'not_found']);
      }
    },
  );
});

describe('DELETE /api/v1/urls/{shortCode}', () => {
  it('deletes a link at once and permanently', async () => {
    await create({ url: URL_GIVEN, shortCode: 'ending' });
    expect((await terse.visit('/ending')).status).toBe(302);
    const response = await one('ending', 'DELETE');
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect((await terse.visit('/ending')).status).toBe(410);
    expect(await errorOf(await one('ending'))).toEqual([410, 'gone']);
    expect(await errorOf(await one('ending', 'DELETE'))).toEqual([410, 'gone']);
    expect(await errorOf(await create({ url: URL_GIVEN, shortCode: 'ending' }))).toEqual([409, 'short_code_taken']);
  });

  it('deletes the link once if sent twice at the same time', async () => {
    await create({ url: URL_GIVEN, shortCode: 'ending' });
    const both = await Promise.all([one('ending', 'DELETE'), one('ending', 'DELETE')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 410]);
  });
});

it('a link of another account is treated as unknown, and keeps its code', async () => {
  await create({ url: URL_GIVEN, shortCode: 'theirs' });
  const stranger = await terse.newAccountKey();
  expect(await errorOf(await one('theirs', 'GET', stranger))).toEqual([404, 'not_found']);
  expect(await errorOf(await one('theirs', 'DELETE', stranger))).toEqual([404, 'not_found']);
  const edit = { ...post(stranger, { title: 'Mine' }), method: 'PATCH' };
  expect(await errorOf(await ask('/api/v1/urls/theirs', edit))).toEqual([404, 'not_found']);
  const list = await ask('/api/v1/urls', { headers: { [HEADER.apiKey]: stranger } });
  expect(await list.json()).toEqual({ links: [], nextCursor: null });
  const cursor = await ask('/api/v1/urls?cursor=theirs', { headers: { [HEADER.apiKey]: stranger } });
  expect(cursor.status).toBe(400);
  const taken = await ask('/api/v1/urls', post(stranger, { url: URL_GIVEN, shortCode: 'theirs' }));
  expect(await errorOf(taken)).toEqual([409, 'short_code_taken']);
  expect((await one('theirs')).status).toBe(200);
});

const MADE = { url: 'https://example.com/old', shortCode: 'mine', title: 'Old', expiresAt: '2027-01-01T00:00:00.000Z' };

/** Moves the clock forward, so that the request is not throttled, and sends it. */
const edit = (body: unknown, { code = 'mine', by = terse.key } = {}) => {
  terse.clock.now += 1000;
  return terse.ask(`/api/v1/urls/${code}`, { ...post(by, body), method: 'PATCH' });
};
const read = async () => Link.parse(await (await terse.ask('/api/v1/urls/mine', { headers: bearer() })).json());
const bearer = () => ({ [HEADER.authorization]: `Bearer ${terse.key}` });
const target = async () => (await terse.visit('/mine', { headers: { 'User-Agent': FIREFOX } })).headers.get('location');

describe('PATCH /api/v1/urls/{shortCode}', () => {
  let made: Link;
  beforeEach(async () => {
    made = Link.parse(await (await terse.ask('/api/v1/urls', post(terse.key, MADE))).json());
  });

  it('changes the given fields, returns the link, and keeps other fields', async () => {
    const response = await edit({ url: 'https://example.com/a b' });
    expect(response.status).toBe(200);
    const edited = Link.parse(await response.json());
    expect(edited).toEqual({ ...made, url: 'https://example.com/a%20b' });
    expect(await read()).toEqual(edited);
    const more = await edit({ title: ' New\n ', expiresAt: '2028-01-01t01:00:00+01:00', shortCode: 'other' });
    expect(await more.json()).toEqual({ ...edited, title: 'New', expiresAt: '2028-01-01T00:00:00.000Z' });
  });

  it('clears a title and an expiry with null, and changes nothing without fields', async () => {
    expect(await (await edit({})).json()).toEqual(made);
    expect(await (await edit({ title: null, expiresAt: null })).json()).toEqual({
      ...made,
      title: null,
      expiresAt: null,
    });
  });

  it('is refused if it contains only __proto__', async () => {
    terse.clock.now += 1000;
    const sent = { ...post(terse.key, {}), body: '{"__proto__": {"title": "x"}}', method: 'PATCH' };
    expect(await errorOf(await terse.ask('/api/v1/urls/mine', sent))).toEqual([400, 'invalid_request']);
  });

  it('redirects to the new URL at once, and keeps the click count', async () => {
    // The service caches a link only after several visits.
    for (let times = 0; times < 3; times += 1) expect(await target()).toBe(MADE.url);
    await edit({ url: 'https://example.com/new' });
    expect(await target()).toBe('https://example.com/new');
    await terse.service.clicks.settle();
    expect((await read()).clicks).toBe(4);
  });

  it.each([
    [{ url: 'nonsense' }, 'invalid_url'],
    [{ url: null }, 'invalid_url'],
    [{ url: 7, title: 7 }, 'invalid_url'],
    [{ url: 'http://10.0.0.1/' }, 'target_refused'],
    [{ title: 'a'.repeat(301) }, 'invalid_title'],
    [{ title: 7 }, 'invalid_title'],
    [{ expiresAt: 'tomorrow' }, 'invalid_expiry'],
    [{ expiresAt: new Date(NOON).toISOString() }, 'invalid_expiry'],
    [{ expiresAt: '9999-12-31T23:59:59-23:59' }, 'invalid_expiry'],
    [{ title: 'New', expiresAt: 7 }, 'invalid_expiry'],
    [{ titel: 'New', shortCode: 'other' }, 'invalid_request'],
    [[], 'invalid_request'],
    [null, 'invalid_request'],
    ['{', 'invalid_json'],
  ])('refuses %j with %s and changes nothing', async (body, code) => {
    expect(await errorOf(await edit(body))).toEqual([400, code]);
    expect(await read()).toEqual(made);
  });

  it('does not count against the quota, and has a separate throttle', async () => {
    const left = async () => {
      const response = await terse.ask('/api/v1/key', { headers: bearer() });
      return ((await response.json()) as { quota: { remaining: number } }).quota.remaining;
    };
    const before = await left();
    const response = await edit({ title: 'New' });
    expect(response.headers.get(HEADER.rateLimit)).toContain('"reads"');
    expect(await left()).toBe(before);
  });
});
