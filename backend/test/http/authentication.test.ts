import { HEADER } from '@terse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateKey } from '../../src/domain/accounts/api-keys.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { ENDPOINTS } from '../support/described.ts';
import { serviceForFile } from '../support/service.ts';

const terse = serviceForFile();
let key: string;
let other: string;
let revoked: string;
let disabled: string;
beforeAll(async () => {
  [key, other, revoked] = [await terse.newKey(), await terse.newKey(), await terse.newKey()];
  await terse.store.keys.revoke(3, terse.clock.now);
  disabled = await terse.newAccountKey();
  await terse.store.accounts.disable(2, terse.clock.now);
});

describe.each(ENDPOINTS.filter((endpoint) => endpoint.key !== 'none'))('$method $path', ({ method, path }) => {
  const ask = (headers: Record<string, string>) => {
    terse.clock.now += 1000;
    return terse.ask(path, { method, headers });
  };

  it.each([
    ['no key', () => ({})],
    ['an empty key', () => ({ [HEADER.apiKey]: '' })],
    ['another scheme', () => ({ Authorization: `Basic ${key}` })],
    ['a scheme alone', () => ({ Authorization: 'Bearer' })],
    ['a malformed key', () => ({ [HEADER.apiKey]: 'hello' })],
    ['a mistyped key', () => ({ Authorization: `Bearer ${key.slice(0, -1)}!` })],
    ['an unknown key', () => ({ Authorization: `Bearer ${generateKey(systemRandom)}` })],
    ['a revoked key', () => ({ Authorization: `Bearer ${revoked}` })],
    ['a key of a disabled account', () => ({ Authorization: `Bearer ${disabled}` })],
    ['two different keys', () => ({ Authorization: `Bearer ${key}`, [HEADER.apiKey]: other })],
  ])('answers %s with 401 and a challenge', async (_, headers) => {
    const response = await ask(headers());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="terse"/);
    expect(await response.json()).toMatchObject({ code: 'unauthorized' });
  });

  it('accepts no key in the URL or a cookie', async () => {
    const query = new URLSearchParams({ api_key: key, apiKey: key, key, access_token: key, [HEADER.apiKey]: key });
    const response = await terse.ask(`${path}?${query}`, { method, headers: { Cookie: `${HEADER.apiKey}=${key}` } });
    expect(response.status).toBe(401);
  });

  it('checks the key before anything else', async () => {
    const nonsense = method === 'POST' ? { body: 'x'.repeat(100), headers: { 'Content-Type': 'text/plain' } } : {};
    expect((await terse.ask(`${path}?limit=x&from=x`, { method, ...nonsense })).status).toBe(401);
  });

  it.each([
    ['as a Bearer token', () => ({ Authorization: `Bearer ${key}` })],
    ['with a scheme in any case', () => ({ Authorization: `bearer ${key}` })],
    ['in X-API-Key', () => ({ [HEADER.apiKey]: key })],
    ['in both headers if they are equal', () => ({ Authorization: `Bearer ${key}`, [HEADER.apiKey]: key })],
  ])('accepts a key %s', async (_, headers) => {
    expect((await ask(headers())).status).not.toBe(401);
  });
});

describe('a key', () => {
  it('is refused immediately after it is revoked', async () => {
    const text = await terse.newKey();
    const ask = () => terse.ask('/api/v1/key', { headers: { [HEADER.apiKey]: text } });
    expect((await ask()).status).toBe(200);
    await terse.store.keys.revoke((await terse.store.keys.list()).at(-1)?.id ?? 0, terse.clock.now);
    expect((await ask()).status).toBe(401);
  });

  it('records its last use to the minute', async () => {
    const text = await terse.newKey();
    const used = async () => (await terse.store.keys.list()).at(-1)?.lastUsedAt;
    const ask = () => terse.ask('/api/v1/key', { headers: { [HEADER.apiKey]: text } });
    const first = terse.clock.now;
    await ask();
    await expect.poll(used).toBe(first);
    terse.clock.now += 59_999;
    await ask();
    expect(await used()).toBe(first);
    terse.clock.now += 1;
    await ask();
    await expect.poll(used).toBe(first + 60_000);
  });
});
