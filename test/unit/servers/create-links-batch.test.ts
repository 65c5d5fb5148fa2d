import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendAttempt } from '../../../src/servers/call-server.ts';
import { aPost } from '../queue/support/queue-builders.ts';
import { type Manner, MisbehavingServer, says } from './misbehaving-server.ts';
import { terseServer } from './terse-server.ts';

let server: MisbehavingServer;
let baseUrl: string;

beforeEach(async () => {
  server = new MisbehavingServer();
  baseUrl = await server.start();
});
afterEach(() => server.stop());

function send(manner: Manner, ids: string[]) {
  server.manner = manner;
  return sendAttempt(terseServer({ baseUrl, apiKey: 'key' }), aPost(ids));
}

function madeAt(index: number, shortCode: string) {
  const createdAt = '2026-03-28T09:30:00.000Z';
  const link = { shortCode, shortUrl: `https://s.example/${shortCode}`, url: 'x', title: null, createdAt };
  return { index, status: 201, link: { ...link, expiresAt: null, clicks: 0 } };
}

const created = (code: string) => ({ kind: 'created', shortUrl: `https://s.example/${code}` });
const unclear = { kind: 'unclear', code: 'not_understood', message: '' };

describe('a batch', () => {
  test('returns a result for each request, by index and not by position', async () => {
    const results = [
      { index: 2, status: 400, error: 'Please enter a valid URL.', code: 'invalid_url' },
      madeAt(0, 'zero'),
      { index: 1, status: 500, error: 'Oh.', code: 'internal_error' },
    ];
    expect(await send(says(207, { results }), ['a', 'b', 'c'])).toMatchObject({
      items: [
        created('zero'),
        { kind: 'unclear', code: 'server_error', message: 'Oh.' },
        { kind: 'refused', code: 'invalid_url' },
      ],
      answered: true,
    });
    expect(server.heard[0]?.path).toBe('/api/v1/urls/batch');
  });

  test('returns the reported limits', async () => {
    const headers = { 'ratelimit-policy': '"quota";q=20;w=86400' };
    expect(await send(says(207, { results: [] }, headers), ['a', 'b'])).toMatchObject({
      limits: { quota: { limit: 20 } },
    });
  });

  test('with missing or extra results is valid for the other requests', async () => {
    const results = [madeAt(1, 'one'), madeAt(9, 'nine')];
    expect((await send(says(207, { results }), ['a', 'b'])).items).toEqual([unclear, created('one')]);
  });

  test.each([
    ['HTML', '<h1>Hello</h1>'],
    ['a single link', { message: 'ok', shortUrl: 'https://s.example/a' }],
    ['a result without its link', { results: [{ index: 0, status: 201 }] }],
    ['a script as a short URL', { results: [{ ...madeAt(0, 'a'), link: { shortUrl: 'javascript:alert(1)' } }] }],
  ])('answered with %s is not understood', async (_name, body) => {
    expect(await send(says(207, body), ['a', 'b'])).toMatchObject({ items: [unclear, unclear] });
  });

  test('that is refused as a whole is refused for each request', async () => {
    const { items } = await send(says(401, { error: 'Who?' }), ['a', 'b']);
    expect(items).toEqual(Array(2).fill({ kind: 'refused', code: 'unauthorized', message: 'Who?' }));
  });

  test.each([400, 413, 415, 422])(
    'that is refused before its items are read counts as refused as a whole (%d)',
    async (status) => {
      expect(await send(says(status, '<h1>Too large</h1>'), ['a', 'b'])).toMatchObject({ refusedAsWhole: true });
    },
  );

  test('without a response reports no answer for each request', async () => {
    const { items, answered } = await send((_response, request) => request.socket.destroy(), ['a', 'b']);
    expect(items).toEqual(Array(2).fill({ kind: 'unclear', code: 'no_answer', message: '' }));
    expect(answered).toBe(false);
  });
});
