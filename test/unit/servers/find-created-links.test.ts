import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLink } from '../../../src/servers/link-operations.ts';
import { hangsUp, type Manner, MisbehavingServer, says } from './misbehaving-server.ts';
import { terseServer } from './terse-server.ts';

const LINK = {
  shortCode: 'abc',
  shortUrl: 'https://s.example/abc',
  url: 'https://x.example/',
  title: null,
  createdAt: '2026-03-28T09:30:00.000Z',
  expiresAt: null,
  clicks: 0,
};
let server: MisbehavingServer;
let baseUrl: string;

beforeEach(async () => {
  server = new MisbehavingServer();
  baseUrl = await server.start();
});
afterEach(() => server.stop());

function found(manner: Manner) {
  server.manner = manner;
  const wanted = { url: LINK.url, shortCode: 'abc', idempotencyKey: 'key' };
  return findLink(terseServer({ baseUrl, apiKey: 'the-key' }), wanted);
}

test('a link is found by its code, with the API key and at no cost', async () => {
  expect(await found(says(200, LINK))).toEqual({ state: 'found', shortUrl: LINK.shortUrl });
  expect(server.heard).toMatchObject([
    { method: 'GET', path: '/api/v1/urls/abc', headers: { authorization: 'Bearer the-key' } },
  ]);
});

test.each([
  ['a 404', says(404, { error: 'Not found.', code: 'not_found' })],
  ['a page', says(200, '<h1>Hello</h1>')],
  ['a link with another code', says(200, { ...LINK, shortCode: 'other' })],
  ['a script as a short URL', says(200, { ...LINK, shortUrl: 'javascript:alert(1)' })],
  ['an error', says(500, { error: 'Oh.' })],
  ['no answer', hangsUp],
])('the state of a link is unknown after %s', async (_name, manner) => {
  expect(await found(manner)).toEqual({ state: 'unknown' });
});

test('a code is taken if its link has another URL', async () => {
  const other = await found(says(200, { ...LINK, url: 'https://other.example/' }));
  expect(other).toEqual({ state: 'taken' });
});
