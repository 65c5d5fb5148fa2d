import { BATCH_LIMIT, BatchAnswer, HEADER, INVALID_URL_MESSAGE, Link, LinkList, ShortenAnswer } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { post, serviceWithKeyForEach } from '../support/service.ts';

const terse = serviceWithKeyForEach();

const sendBatch = (body: unknown, headers?: Record<string, string>) => {
  terse.clock.now += 1000;
  return terse.ask('/api/v1/urls/batch', post(terse.key, body, headers));
};
const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}` }));
const resultsOf = async (response: Response) => BatchAnswer.parse(await response.json()).results;

describe('POST /api/v1/urls/batch', () => {
  it('returns a result for each link, in the order sent', async () => {
    const response = await sendBatch({
      urls: [
        { url: 'https://example.com/1', shortCode: 'same', title: 'one' },
        { url: 'nonsense' },
        { url: 'https://example.com/2', shortCode: 'same' },
        'https://example.com/3',
        { url: 'https://example.com/4' },
        { url: 'https://example.com/5', shortCode: 'api' },
        null,
        { url: 'https://example.com/6', shortCode: 'other' },
      ],
    });
    expect(response.status).toBe(207);
    const results = await resultsOf(response);
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(results.map((result) => [result.status, 'code' in result ? result.code : result.link.url])).toEqual([
      [201, 'https://example.com/1'],
      [400, 'invalid_url'],
      [409, 'short_code_taken'],
      [400, 'invalid_request'],
      [201, 'https://example.com/4'],
      [400, 'invalid_short_code'],
      [400, 'invalid_request'],
      [201, 'https://example.com/6'],
    ]);
    expect(results[1]).toEqual({ index: 1, status: 400, error: INVALID_URL_MESSAGE, code: 'invalid_url' });
    for (const result of results) {
      if (!('link' in result)) continue;
      expect((await terse.visit(result.link.shortUrl)).headers.get('location')).toBe(result.link.url);
    }
  });

  it('creates the links in the order sent, whatever their short codes are', async () => {
    const codes = ['boar', 'carp', 'auk1'];
    await sendBatch({ urls: codes.map((shortCode) => ({ url: 'https://example.com/', shortCode })) });
    const { links } = LinkList.parse(
      await (await terse.ask('/api/v1/urls', { headers: { 'X-API-Key': terse.key } })).json(),
    );
    expect(links.map(({ shortCode }) => shortCode).toReversed()).toEqual(codes);
  });

  it('counts as one request, for any number of links', async () => {
    const response = await sendBatch({ urls: numbered(BATCH_LIMIT) });
    const results = await resultsOf(response);
    expect(new Set(results.map((result) => 'link' in result && result.link.shortUrl)).size).toBe(BATCH_LIMIT);
    expect(response.headers.get(HEADER.rateLimit)).toContain('"quota";r=19');
  });

  it('answers 207 even if no link could be created', async () => {
    const response = await sendBatch({ urls: [{}, { url: 'http://127.0.0.1/' }] });
    expect(response.status).toBe(207);
    expect((await resultsOf(response)).map(({ status }) => status)).toEqual([400, 400]);
  });

  it.each([
    [{}],
    [{ urls: [] }],
    [{ urls: numbered(BATCH_LIMIT + 1) }],
    [{ urls: 'https://example.com/' }],
    [[]],
    ['1'],
  ])('refuses %j as a whole', async (body) => {
    const response = await sendBatch(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  it('creates its links only once if it is sent again', async () => {
    const body = { urls: [{ url: 'https://example.com/', shortCode: 'once' }, ...numbered(3), { url: '' }] };
    const header = { [HEADER.idempotencyKey]: 'a-batch' };
    const [first, again] = [await sendBatch(body, header), await sendBatch(body, header)];
    expect([again.status, again.headers.get(HEADER.idempotencyReplayed)]).toEqual([207, 'true']);
    expect(await again.text()).toBe(await first.text());
  });

  it('does not share idempotency keys with the other endpoints', async () => {
    const header = { [HEADER.idempotencyKey]: 'shared' };
    terse.clock.now += 1000;
    expect((await terse.ask('/api/shorten', post(terse.key, { url: 'https://example.com/' }, header))).status).toBe(
      200,
    );
    expect((await sendBatch({ urls: numbered(1) }, header)).status).toBe(207);
  });

  it('cannot be read with GET', async () => {
    const response = await terse.ask('/api/v1/urls/batch', { headers: { [HEADER.apiKey]: terse.key } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    const list = await terse.ask('/api/v1/urls', { method: 'PUT' });
    expect([list.status, list.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD']);
  });
});

const TARGET = { url: 'https://example.com/' };
const DAY = 86_400_000;

const send = (idempotencyKey: string, body: unknown = TARGET, apiKey = terse.key) =>
  terse.ask('/api/shorten', post(apiKey, body, { [HEADER.idempotencyKey]: idempotencyKey }));
const replayed = (response: Response) => response.headers.get(HEADER.idempotencyReplayed);

describe('Idempotency-Key', () => {
  it('replays the first response without checking or charging the limits', async () => {
    const first = await send('one');
    expect(replayed(first)).toBeNull();
    const again = await send('one');
    expect(again.status).toBe(200);
    expect(replayed(again)).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get(HEADER.rateLimit)).toContain('"quota";r=19');
  });

  it('creates one link for twenty concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => send('twin')));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(responses.filter((response) => replayed(response) === 'true')).toHaveLength(19);
    const urls = await Promise.all(
      responses.map(async (response) => ShortenAnswer.parse(await response.json()).shortUrl),
    );
    expect(new Set(urls).size).toBe(1);
  });

  it('replays the first response even if it is an error', async () => {
    const first = await send('bad', { url: 'nonsense' });
    const again = await send('bad', { url: 'nonsense' });
    expect([again.status, replayed(again), await again.text()]).toEqual([400, 'true', await first.text()]);
  });

  it('is refused with 422 if it was used for another body', async () => {
    await send('one');
    terse.clock.now += 1000;
    const other = await send('one', { url: 'https://example.com/other' });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it.each(['url', 'title'])('replays the error of a body with a deeply nested %s', async (field) => {
    const nested = `${'['.repeat(6000)}${']'.repeat(6000)}`;
    const sent = post(terse.key, TARGET, { [HEADER.idempotencyKey]: 'deep' });
    const ask = () =>
      terse.ask('/api/v1/urls', { ...sent, body: `{"url": "https://example.com/", "${field}": ${nested}}` });
    const first = await ask();
    const again = await ask();
    expect([first.status, again.status, replayed(again)]).toEqual([400, 400, 'true']);
    terse.clock.now += 1000;
    expect((await terse.ask('/api/v1/urls', sent)).status).toBe(422);
  });

  it('belongs to one API key', async () => {
    const [first, other] = [await send('one'), await send('one', TARGET, await terse.newKey())];
    expect(replayed(other)).toBeNull();
    expect(await other.text()).not.toBe(await first.text());
  });

  it('does not cache a 429 response', async () => {
    await send('one');
    expect((await send('two')).status).toBe(429);
    terse.clock.now += 1000;
    const second = await send('two');
    expect([second.status, replayed(second)]).toEqual([200, null]);
  });

  it('is cached for thirty days', async () => {
    await send('one');
    terse.clock.now += 30 * DAY - 1;
    expect(replayed(await send('one'))).toBe('true');
    terse.clock.now += 1;
    // After that, the key can belong to another request, whose response is then cached.
    const other = { url: 'https://example.com/other' };
    const made = await send('one', other);
    expect(replayed(made)).toBeNull();
    const again = await send('one', other);
    expect([replayed(again), await again.text()]).toEqual(['true', await made.text()]);
  });

  it.each(['with space', 'a'.repeat(256), 'ümlaut'])('%s is not a valid key', async (text) => {
    const response = await send(Buffer.from(text).toString('latin1'));
    expect(await response.json()).toMatchObject({ code: 'invalid_idempotency_key' });
  });
});

describe('the idempotency key of an item', () => {
  const item = (n: number, more: object = {}) => ({
    url: `https://example.com/${n}`,
    idempotencyKey: `item-${n}`,
    ...more,
  });
  const batch = (urls: unknown[], headers: Record<string, string> = {}) =>
    terse.ask('/api/v1/urls/batch', post(terse.key, { urls }, headers));
  const results = async (response: Response) => BatchAnswer.parse(await response.json()).results;
  const codes = async (response: Response) =>
    (await results(response)).map((result) => ('link' in result ? result.link.shortCode : result.code));
  const later = () => {
    terse.clock.now += 1000;
  };
  const linksOf = async (apiKey: string) =>
    LinkList.parse(await (await terse.ask('/api/v1/urls', { headers: { 'X-API-Key': apiKey } })).json()).links;
  const links = () => linksOf(terse.key);

  it('returns the same link again, in another batch or alone', async () => {
    const [first, second, third] = await codes(await batch([item(1), item(2), item(3)]));
    later();
    expect(await codes(await batch([item(2), item(4)]))).toEqual([second, expect.any(String)]);
    later();
    const alone = await terse.ask(
      '/api/v1/urls',
      post(terse.key, { url: item(3).url }, { [HEADER.idempotencyKey]: 'item-3' }),
    );
    const { shortCode } = Link.parse(await alone.json());
    expect([alone.status, replayed(alone), shortCode]).toEqual([201, 'true', third]);
    expect((await links()).map((link) => link.shortCode)).toContain(first);
    expect(await links()).toHaveLength(4);
  });

  it('is equal to the key of the same link alone', async () => {
    const alone = await terse.ask(
      '/api/v1/urls',
      post(terse.key, { title: 'One', url: item(1).url }, { [HEADER.idempotencyKey]: 'item-1' }),
    );
    const { shortCode } = Link.parse(await alone.json());
    later();
    expect(await codes(await batch([item(1, { title: 'One' }), item(2)]))).toEqual([shortCode, expect.any(String)]);
    expect(await links()).toHaveLength(2);
  });

  it('refuses the item if it was used for another link', async () => {
    await batch([item(1)]);
    later();
    const [reused, made] = await results(await batch([item(1, { url: 'https://example.com/other' }), item(2)]));
    expect(reused).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(made).toMatchObject({ status: 201 });
  });

  it('creates one link if two items of a batch have the same key', async () => {
    const [first, again] = await codes(await batch([item(1), item(1)]));
    expect(again).toBe(first);
    expect(await links()).toHaveLength(1);
  });

  it('creates one link for a batch and a single request that arrive at the same time', async () => {
    const fast = await terse.newKey({ throttle: 100 });
    const ask = (path: string, body: unknown, idempotencyKey: string) =>
      terse.ask(path, post(fast, body, { [HEADER.idempotencyKey]: idempotencyKey }));
    const responses = await Promise.all([
      ask('/api/v1/urls/batch', { urls: [item(1), item(2)] }, 'batch'),
      ask('/api/v1/urls', { url: item(1).url }, 'item-1'),
      ask('/api/v1/urls/batch', { urls: [item(2)] }, 'part'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([207, 201, 207]);
    expect(await linksOf(fast)).toHaveLength(2);
  });

  it('makes the item fail if the key is invalid', async () => {
    const [bad, good] = await results(await batch([item(1, { idempotencyKey: 'with space' }), item(2)]));
    expect([bad?.status, good?.status]).toEqual([400, 201]);
  });
});
