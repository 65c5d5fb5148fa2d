import { afterEach, beforeEach, expect, test } from 'vitest';
import { exampleLink } from '../../../contract/test/example-link.ts';
import { lookUp } from '../../../src/services/terse/find-created-links.ts';
import { hangsUp, type Manner, MisbehavingServer, says } from './misbehaving-server.ts';

const LINK = exampleLink('abc');
let server: MisbehavingServer;
let baseUrl: string;

beforeEach(async () => {
  server = new MisbehavingServer();
  baseUrl = await server.start();
});
afterEach(() => server.stop());

function found(manner: Manner) {
  server.manner = manner;
  return lookUp(fetch, { baseUrl, apiKey: 'the-key' }, new Map([['a', 'abc']]));
}

test('a link is found by its code, with the API key and at no cost', async () => {
  expect([...(await found(says(200, LINK)))]).toMatchObject([['a', { url: LINK.url, shortUrl: LINK.shortUrl }]]);
  expect(server.heard).toMatchObject([
    { method: 'GET', path: '/api/v1/urls/abc', headers: { authorization: 'Bearer the-key' } },
  ]);
});

test.each([
  ['no such link', says(404, { error: 'Not found.', code: 'not_found' })],
  ['a page', says(200, '<h1>Hello</h1>')],
  ['a link with another code', says(200, { ...LINK, shortCode: 'other' })],
  ['a script as a short URL', says(200, { ...LINK, shortUrl: 'javascript:alert(1)' })],
  ['an error', says(500, { error: 'Oh.' })],
  ['nothing', hangsUp],
])('%s means not found', async (_name, manner) => {
  expect(await found(manner)).toEqual(new Map([['a', null]]));
});
