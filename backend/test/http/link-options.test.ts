import { BatchAnswer, ErrorBody, HEADER, Link, LinkList, ServiceDocument } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { locationOf } from '../support/raw.ts';
import { post, serviceForTest, serviceWithKeyForFile } from '../support/service.ts';
import { link } from '../support/store.ts';

const MAX_URL_BYTES = 32_768;

const terse = serviceWithKeyForFile({ TERSE_DAILY_QUOTA: '1000', TERSE_MAX_URL_BYTES: String(MAX_URL_BYTES) });
beforeEach(() => {
  terse.clock.now += 60_000;
});

const create = (body: object, headers = {}) => {
  terse.clock.now += 1000;
  return terse.ask('/api/v1/urls', post(terse.key, { url: 'https://example.com/?a=1#top', ...body }, headers));
};
const created = async (body: object) => Link.parse(await (await create(body)).json());
const edit = async (code: string, body: object) => {
  terse.clock.now += 1000;
  return terse.ask(`/api/v1/urls/${code}`, { ...post(terse.key, body), method: 'PATCH' });
};
const read = async (path: string) => {
  terse.clock.now += 1000;
  return (await terse.ask(`/api/v1/urls${path}`, { headers: { [HEADER.apiKey]: terse.key } })).json();
};
const errorOf = async (response: Response) => [response.status, ErrorBody.parse(await response.json()).code];
const target = (path: string) => locationOf(`${terse.service.addresses.short}${path}`);

/** A tag of 50 characters that has 100 UTF-16 code units. */
const LONGEST_TAG = '🍞'.repeat(50);

describe('tags', () => {
  it('are returned by every endpoint, trimmed and without duplicates', async () => {
    const { shortCode, tags } = await created({ tags: [' News ', 'news', LONGEST_TAG] });
    expect(tags).toEqual(['News', LONGEST_TAG]);
    expect(await read(`?tag=${encodeURIComponent(LONGEST_TAG)}`)).toMatchObject({ links: [{ tags }] });
    expect(await read(`/${shortCode}`)).toMatchObject({ tags });
    expect(await read('?limit=1')).toMatchObject({ links: [{ tags }] });
    expect(await (await edit(shortCode, { title: 'x' })).json()).toMatchObject({ tags });
    expect(await (await edit(shortCode, { tags: ['b', 'a'] })).json()).toMatchObject({ tags: ['b', 'a'] });
    expect(await (await edit(shortCode, { tags: null })).json()).toMatchObject({ tags: [] });
    terse.clock.now += 1000;
    const batch = { urls: [{ url: 'https://example.com/', tags: ['one'], forwardQuery: true }] };
    const answer = BatchAnswer.parse(await (await terse.ask('/api/v1/urls/batch', post(terse.key, batch))).json());
    expect(answer.results).toMatchObject([{ link: { tags: ['one'], forwardQuery: true } }]);
  });

  it.each([[['']], [['a,b']], [['x'.repeat(51)]], [[`${LONGEST_TAG}x`]], [Array(11).fill('a')], ['news'], [[1]]])(
    'like %j are refused',
    async (tags) => {
      expect(await errorOf(await create({ tags }))).toEqual([400, 'invalid_tags']);
      const { shortCode } = await created({ tags: ['kept'] });
      expect(await errorOf(await edit(shortCode, { tags }))).toEqual([400, 'invalid_tags']);
      expect(await read(`/${shortCode}`)).toMatchObject({ tags: ['kept'] });
    },
  );

  it('filter the list, ignoring case, with cursors and together with a search', async () => {
    const titles = ['one', 'two', 'other', 'three'];
    for (const title of titles) await created({ title, tags: title === 'other' ? ['else'] : ['Filtered'] });
    const page = async (query: string) => LinkList.parse(await read(`?tag=filtered${query}`));
    const titlesOf = ({ links }: LinkList) => links.map(({ title }) => title);
    const first = await page('&limit=2');
    expect(titlesOf(first)).toEqual(['three', 'two']);
    const next = await page(`&limit=2&cursor=${first.nextCursor}`);
    expect([titlesOf(next), next.nextCursor]).toEqual([['one'], null]);
    expect(titlesOf(await page('&search=TWO'))).toEqual(['two']);
    expect(LinkList.parse(await read('?tag=unknown')).links).toEqual([]);
    expect(await read('?tag=a,b')).toMatchObject({ code: 'invalid_request', error: expect.stringContaining('tag') });
  });

  it('belong to the fingerprint of a request that is sent again', async () => {
    const headers = { [HEADER.idempotencyKey]: 'tagged' };
    const first = await (await create({ tags: ['a'], forwardQuery: true }, headers)).json();
    const again = await create({ tags: ['a'], forwardQuery: true }, headers);
    expect([again.headers.get(HEADER.idempotencyReplayed), await again.json()]).toEqual(['true', first]);
    for (const other of [{ tags: ['b'], forwardQuery: true }, { tags: ['a'] }, {}]) {
      expect(await errorOf(await create(other, headers))).toEqual([422, 'idempotency_key_reused']);
    }
  });
});

describe('query forwarding', () => {
  it('is off by default, and can be set per link', async () => {
    const plain = await created({});
    const forwarding = await created({ forwardQuery: true });
    expect([plain.forwardQuery, forwarding.forwardQuery]).toEqual([false, true]);
    expect(await target(`/${plain.shortCode}?b=2`)).toBe('https://example.com/?a=1#top');
    for (const method of ['GET', 'HEAD', 'GET', 'GET']) {
      const response = await terse.visit(`/${forwarding.shortCode}?b=2&utm_source=x%20y`, { method });
      expect(response.headers.get('location')).toBe('https://example.com/?a=1&b=2&utm_source=x%20y#top');
    }
    expect(await target(`/${forwarding.shortCode}?a=2`)).toBe('https://example.com/?a=2#top');
    expect(await target(`/${forwarding.shortCode}`)).toBe('https://example.com/?a=1#top');
    expect(await (await edit(forwarding.shortCode, { forwardQuery: false })).json()).toMatchObject({
      forwardQuery: false,
    });
    expect(await target(`/${forwarding.shortCode}?b=2`)).toBe('https://example.com/?a=1#top');
  });

  it('is refused with its name if it is neither true, false nor null', async () => {
    const { shortCode } = await created({});
    for (const answer of [await create({ forwardQuery: 'yes' }), await edit(shortCode, { forwardQuery: 1 })]) {
      expect(await answer.json()).toEqual({
        error: '"forwardQuery" must be true, false or null.',
        code: 'invalid_request',
      });
    }
  });

  it('follows TERSE_FORWARD_QUERY for links without a choice', async () => {
    const on = await serviceForTest({ TERSE_FORWARD_QUERY: 'true' });
    await on.store.links.create(FIRST_ACCOUNT, link(['open']), on.clock.now);
    await on.store.links.create(FIRST_ACCOUNT, link(['never'], { forwardQuery: false }), on.clock.now);
    const bearer = { headers: { [HEADER.authorization]: `Bearer ${await on.newKey()}` } };
    expect(await (await on.ask('/api/v1/urls/open', bearer)).json()).toMatchObject({ forwardQuery: true });
    const location = async (path: string) => (await on.visit(path)).headers.get('location');
    expect(await location('/open?a=1')).toBe('https://example.com/?a=1');
    expect(await location('/never?a=1')).toBe('https://example.com/');
    // This link was created before the maximum length was lowered.
    const url = `https://example.com/${'a'.repeat(9000)}`;
    await on.store.links.create(FIRST_ACCOUNT, link(['long'], { url }), on.clock.now);
    expect([await location('/long'), await location('/long?a=1')]).toEqual([url, url]);
  });
});

it('a long URL works up to the maximum that the service document names', async () => {
  const { maxUrlBytes } = ServiceDocument.parse(await (await terse.ask('/api')).json());
  expect(maxUrlBytes).toBe(MAX_URL_BYTES);
  const url = `https://example.com/${'a'.repeat(MAX_URL_BYTES - 20)}`;
  const { shortCode } = await created({ url });
  expect(await target(`/${shortCode}`)).toBe(url);
  expect(await read(`/${shortCode}`)).toMatchObject({ url });
  expect(await errorOf(await create({ url: `${url}a` }))).toEqual([400, 'invalid_url']);
  const umlauts = `https://example.com/${'ü'.repeat((MAX_URL_BYTES - 20) / 6)}`;
  expect((await created({ url: umlauts })).url).toHaveLength(MAX_URL_BYTES);
});
