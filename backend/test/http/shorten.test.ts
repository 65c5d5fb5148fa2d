import { INVALID_URL_MESSAGE, KeyDocument, ShortenAnswer } from '@terse/contract';
import { describe, expect, it, vi } from 'vitest';
import { raw, talk } from '../support/raw.ts';
import { post, serviceForTest, serviceWithKeyForEach } from '../support/service.ts';

const terse = serviceWithKeyForEach({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' });

/** Sends a body and moves the clock forward, so that the next request is not throttled. */
async function shorten(body: unknown, headers?: Record<string, string>): Promise<Response> {
  terse.clock.now += 1000;
  return terse.ask('/api/shorten', post(terse.key, body, headers));
}

describe('POST /api/shorten', () => {
  it('answers 200 with a message and a short URL that redirects to the target', async () => {
    const response = await shorten({ url: 'https://example.com/a b?c#d' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const { message, shortUrl } = ShortenAnswer.parse(await response.json());
    expect(message).not.toBe('');
    expect(shortUrl).toMatch(new RegExp(`^${terse.service.addresses.shortBaseUrl}/[2-9A-HJ-NP-Za-hjkm-z]{7}$`));
    expect((await terse.visit(shortUrl)).headers.get('location')).toBe('https://example.com/a%20b?c#d');
  });

  it('creates a new link each time, and ignores unknown fields', async () => {
    const urls = new Set<string>();
    for (let at = 0; at < 3; at += 1) {
      const response = await shorten({ url: 'https://example.com/', shortCode: 'chosen', __proto__: { x: 1 } });
      urls.add(ShortenAnswer.parse(await response.json()).shortUrl);
    }
    expect(urls.size).toBe(3);
    expect([...urls].join()).not.toContain('chosen');
  });

  it('accepts a charset and a chunked body', async () => {
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await shorten({ url: 'https://example.com/' }, headers)).status).toBe(200);
    terse.clock.now += 1000;
    const pieces = ['{"url":', '"https://exam', 'ple.com/"}'].map((piece) => new TextEncoder().encode(piece));
    const body = ReadableStream.from(pieces);
    const streamed = await terse.ask('/api/shorten', { ...post(terse.key, ''), body, duplex: 'half' } as RequestInit);
    expect(streamed.status).toBe(200);
  });

  it.each([
    ['malformed', { url: 'not a url' }, 'invalid_url'],
    ['missing', {}, 'invalid_url'],
    ['a number', { url: 5 }, 'invalid_url'],
    ['not a web address', { url: 'javascript:alert(1)' }, 'invalid_url'],
    ['with user info', { url: 'https://a:b@example.com/' }, 'invalid_url'],
    ['too long', { url: `https://example.com/${'a'.repeat(8192)}` }, 'invalid_url'],
    ['private', { url: 'http://192.168.0.1/' }, 'target_refused'],
  ])('answers with the specified message for a URL that is %s', async (_, body, code) => {
    const response = await shorten(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: INVALID_URL_MESSAGE, code });
  });

  it('refuses URLs of the service', async () => {
    const own = await serviceForTest({
      TERSE_BASE_URL: 'https://terse.example',
      TERSE_SHORT_BASE_URL: 'https://t.example',
    });
    const mine = await own.newKey();
    for (const url of ['https://T.example./x', 'http://terse.example:81/']) {
      const response = await own.ask('/api/shorten', post(mine, { url }));
      expect(await response.json()).toEqual({ error: INVALID_URL_MESSAGE, code: 'target_refused' });
      own.clock.now += 1000;
    }
  });

  it.each([
    ['', 400, 'invalid_json'],
    ['{"url":', 400, 'invalid_json'],
    ['{"url":"https://example.com/"} x', 400, 'invalid_json'],
    ['[]', 400, 'invalid_request'],
    ['null', 400, 'invalid_request'],
    ['"https://example.com/"', 400, 'invalid_request'],
  ])('answers the body %s with %i %s', async (body, status, code) => {
    const response = await shorten(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it('refuses bytes that are not UTF-8 as malformed', async () => {
    terse.clock.now += 1000;
    const body = Buffer.concat([Buffer.from('{"url":"https://example.com/'), Buffer.of(0xff), Buffer.from('"}')]);
    const response = await terse.ask('/api/shorten', { ...post(terse.key, ''), body });
    expect(await response.json()).toMatchObject({ code: 'invalid_json' });
  });

  it.each([
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/jsonp' }],
    [{ 'Content-Encoding': 'gzip' }],
  ])('answers %o with 415', async (headers) => {
    const response = await shorten({ url: 'https://example.com/' }, headers as Record<string, string>);
    expect(response.status).toBe(415);
  });

  it('answers a body over 64 KiB with 413, with or without Content-Length', async () => {
    const body = JSON.stringify({ url: `https://example.com/${'a'.repeat(64 * 1024)}` });
    const announced = await shorten(body);
    expect(announced.status).toBe(413);
    expect(await announced.json()).toMatchObject({ code: 'body_too_large' });
    terse.clock.now += 1000;
    const head = `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${terse.key}\r\nContent-Type: application/json`;
    const chunks = `2000\r\n${' '.repeat(0x2000)}\r\n`.repeat(9);
    const unannounced = await raw(
      terse.service.addresses.api,
      `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    );
    expect(unannounced).toMatch(/^HTTP\/1\.1 413 .*body_too_large/s);
    expect((await terse.ask('/healthz')).status).toBe(200);
  });

  it('creates and charges nothing if the client disconnects during the body', async () => {
    const head = `POST /api/shorten HTTP/1.1\r\nHost: x\r\nX-API-Key: ${terse.key}\r\nContent-Type: application/json`;
    const { socket } = talk(terse.service.addresses.api, `${head}\r\nContent-Length: 40\r\n\r\n{"url":`);
    await terse.ask('/healthz');
    socket.destroy();
    await vi.waitFor(() => expect(terse.log.join('')).toContain('"route":"/api/shorten","status":408'));
    const document = await terse.ask('/api/v1/key', { headers: { 'X-API-Key': terse.key } });
    expect(KeyDocument.parse(await document.json()).quota.remaining).toBe(1000);
    expect(terse.log.join('')).not.toContain('"level":"error"');
  });

  it('accepts a body of exactly 64 KiB', async () => {
    const head = '{"url":"https://example.com/","padding":"';
    const body = `${head}${'a'.repeat(64 * 1024 - head.length - 2)}"}`;
    expect((await shorten(body)).status).toBe(200);
  });
});
