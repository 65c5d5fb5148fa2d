import { describe, expect, it } from 'vitest';
import { createChecker, DOCUMENT } from '../support/described.ts';

const check = createChecker(DOCUMENT);
const LIMITS = { RateLimit: '"reads";r=1;t=1', 'RateLimit-Policy': '"reads";q=20;w=2' };
const LINK = {
  shortCode: 'abc',
  shortUrl: 'https://t.example/abc',
  url: 'https://example.com/',
  title: null,
  createdAt: '2026-07-01T12:00:00.000Z',
  expiresAt: null,
  clicks: 0,
};
const answer = (body: unknown, status = 200, headers: Record<string, string> = LIMITS) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
const checked = (response: Response, method = 'GET', target = '/api/v1/urls/abc', sent?: string) =>
  check(method, target, sent, response);

// Other tests validate every response with this checker. These tests make sure that the checker can fail.
describe('the response checker', () => {
  it('accepts responses that match the document', async () => {
    await checked(answer(LINK));
    await checked(answer({ error: 'Gone.', code: 'gone' }, 410));
    await checked(answer({ error: 'Nothing.', code: 'not_found' }, 404, {}), 'GET', '/nowhere');
    await checked(answer({ error: 'No.', code: 'method_not_allowed' }, 405, { Allow: 'GET' }), 'PUT');
  });

  it.each([
    ['an undocumented status', () => checked(answer({}, 418))],
    ['a missing field', () => checked(answer({ ...LINK, url: undefined }))],
    ['an undocumented field', () => checked(answer({ ...LINK, id: 1 }))],
    ['a missing header', () => checked(answer(LINK, 200, {}))],
    ['an undocumented body', () => checked(new Response('x', { status: 200, headers: LIMITS }), 'HEAD')],
    ['an error without a code', () => checked(answer({ error: 'No.' }, 404))],
    [
      'an accepted request that the document forbids',
      () =>
        checked(
          answer(LINK, 201, { ...LIMITS, Location: 'https://terse.example/' }),
          'POST',
          '/api/v1/urls',
          '{"url":"https://example.com/","shortCode":"a"}',
        ),
    ],
  ])('rejects %s', async (_, checking) => {
    await expect(checking()).rejects.toThrow();
  });
});
