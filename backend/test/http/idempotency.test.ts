import { HEADER, ShortenAnswer } from '@terse/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { post, startTestService, type TestService } from '../support/service.ts';

const TARGET = { url: 'https://example.com/' };
const DAY = 86_400_000;

let terse: TestService;
let key: string;
beforeEach(async () => {
  terse = await startTestService();
  key = await terse.newKey();
});
afterEach(() => terse.stop());

const send = (idempotencyKey: string, body: unknown = TARGET, apiKey = key) =>
  terse.ask('/api/shorten', post(apiKey, body, { [HEADER.idempotencyKey]: idempotencyKey }));
const replayed = (response: Response) => response.headers.get(HEADER.idempotencyReplayed);

describe('Idempotency-Key', () => {
  it('gets the first answer again, before the limits and at no charge', async () => {
    const first = await send('one');
    expect(replayed(first)).toBeNull();
    const again = await send('one');
    expect(again.status).toBe(200);
    expect(replayed(again)).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get(HEADER.rateLimit)).toContain('"quota";r=19');
  });

  it('makes one link of twenty requests at once', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => send('twin')));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(responses.filter((response) => replayed(response) === 'true')).toHaveLength(19);
    const urls = await Promise.all(
      responses.map(async (response) => ShortenAnswer.parse(await response.json()).shortUrl),
    );
    expect(new Set(urls).size).toBe(1);
  });

  it('replays an error as well', async () => {
    const first = await send('bad', { url: 'nonsense' });
    const again = await send('bad', { url: 'nonsense' });
    expect([again.status, replayed(again), await again.text()]).toEqual([400, 'true', await first.text()]);
  });

  it('used for another body is refused with 422', async () => {
    await send('one');
    terse.clock.now += 1000;
    const other = await send('one', { url: 'https://example.com/other' });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('belongs to one API key', async () => {
    const [first, other] = [await send('one'), await send('one', TARGET, await terse.newKey())];
    expect(replayed(other)).toBeNull();
    expect(await other.text()).not.toBe(await first.text());
  });

  it('does not keep a 429', async () => {
    await send('one');
    expect((await send('two')).status).toBe(429);
    terse.clock.now += 1000;
    const second = await send('two');
    expect([second.status, replayed(second)]).toEqual([200, null]);
  });

  it('is kept for thirty days', async () => {
    await send('one');
    terse.clock.now += 30 * DAY - 1;
    expect(replayed(await send('one'))).toBe('true');
    terse.clock.now += 1;
    expect(replayed(await send('one'))).toBeNull();
  });

  it.each(['with space', 'a'.repeat(256), 'ümlaut'])('%s is no key', async (text) => {
    const response = await send(Buffer.from(text).toString('latin1'));
    expect(await response.json()).toMatchObject({ code: 'invalid_idempotency_key' });
  });
});
