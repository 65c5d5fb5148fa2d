import { BatchAnswer, HEADER, Link, LinkList, ShortenAnswer } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { post, serviceForEach } from '../support/service.ts';

const TARGET = { url: 'https://example.com/' };
const DAY = 86_400_000;

const terse = serviceForEach();
let key: string;
beforeEach(async () => {
  key = await terse.newKey();
});

const send = (idempotencyKey: string, body: unknown = TARGET, apiKey = key) =>
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
    const sent = post(key, TARGET, { [HEADER.idempotencyKey]: 'deep' });
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
    terse.ask('/api/v1/urls/batch', post(key, { urls }, headers));
  const results = async (response: Response) => BatchAnswer.parse(await response.json()).results;
  const codes = async (response: Response) =>
    (await results(response)).map((result) => ('link' in result ? result.link.shortCode : result.code));
  const later = () => {
    terse.clock.now += 1000;
  };
  const linksOf = async (apiKey: string) =>
    LinkList.parse(await (await terse.ask('/api/v1/urls', { headers: { 'X-API-Key': apiKey } })).json()).links;
  const links = () => linksOf(key);

  it('returns the same link again, in another batch or alone', async () => {
    const [first, second, third] = await codes(await batch([item(1), item(2), item(3)]));
    later();
    expect(await codes(await batch([item(2), item(4)]))).toEqual([second, expect.any(String)]);
    later();
    const alone = await terse.ask(
      '/api/v1/urls',
      post(key, { url: item(3).url }, { [HEADER.idempotencyKey]: 'item-3' }),
    );
    const { shortCode } = Link.parse(await alone.json());
    expect([alone.status, replayed(alone), shortCode]).toEqual([201, 'true', third]);
    expect((await links()).map((link) => link.shortCode)).toContain(first);
    expect(await links()).toHaveLength(4);
  });

  it('is equal to the key of the same link alone', async () => {
    const alone = await terse.ask(
      '/api/v1/urls',
      post(key, { title: 'One', url: item(1).url }, { [HEADER.idempotencyKey]: 'item-1' }),
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
