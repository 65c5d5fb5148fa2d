import { BATCH_LIMIT, BatchAnswer, HEADER, INVALID_URL_MESSAGE, LinkList } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { post, serviceForEach } from '../support/service.ts';

const terse = serviceForEach();
let key: string;
beforeEach(async () => {
  key = await terse.newKey();
});

const send = (body: unknown, headers?: Record<string, string>) => {
  terse.clock.now += 1000;
  return terse.ask('/api/v1/urls/batch', post(key, body, headers));
};
const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}` }));
const resultsOf = async (response: Response) => BatchAnswer.parse(await response.json()).results;

describe('POST /api/v1/urls/batch', () => {
  it('returns a result for each link, in the order sent', async () => {
    const response = await send({
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
    await send({ urls: codes.map((shortCode) => ({ url: 'https://example.com/', shortCode })) });
    const { links } = LinkList.parse(await (await terse.ask('/api/v1/urls', { headers: { 'X-API-Key': key } })).json());
    expect(links.map(({ shortCode }) => shortCode).toReversed()).toEqual(codes);
  });

  it('counts as one request, for any number of links', async () => {
    const response = await send({ urls: numbered(BATCH_LIMIT) });
    const results = await resultsOf(response);
    expect(new Set(results.map((result) => 'link' in result && result.link.shortUrl)).size).toBe(BATCH_LIMIT);
    expect(response.headers.get(HEADER.rateLimit)).toContain('"quota";r=19');
  });

  it('answers 207 even if no link could be created', async () => {
    const response = await send({ urls: [{}, { url: 'http://127.0.0.1/' }] });
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
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  it('creates its links only once if it is sent again', async () => {
    const body = { urls: [{ url: 'https://example.com/', shortCode: 'once' }, ...numbered(3), { url: '' }] };
    const header = { [HEADER.idempotencyKey]: 'a-batch' };
    const [first, again] = [await send(body, header), await send(body, header)];
    expect([again.status, again.headers.get(HEADER.idempotencyReplayed)]).toEqual([207, 'true']);
    expect(await again.text()).toBe(await first.text());
  });

  it('does not share idempotency keys with the other endpoints', async () => {
    const header = { [HEADER.idempotencyKey]: 'shared' };
    terse.clock.now += 1000;
    expect((await terse.ask('/api/shorten', post(key, { url: 'https://example.com/' }, header))).status).toBe(200);
    expect((await send({ urls: numbered(1) }, header)).status).toBe(207);
  });

  it('cannot be read with GET', async () => {
    const response = await terse.ask('/api/v1/urls/batch', { headers: { [HEADER.apiKey]: key } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    const list = await terse.ask('/api/v1/urls', { method: 'PUT' });
    expect([list.status, list.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD']);
  });
});
