import { BatchAnswer, HEADER, KEY_SCOPES, KeyDocument, type KeyScope, LinkList } from '@terse/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { generateKey } from '../../src/domain/accounts/api-keys.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { ENDPOINTS } from '../support/described.ts';
import { checkError, post, serviceForFile } from '../support/service.ts';

const terse = serviceForFile({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' });
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

  it('records its last use to the minute, also after its clock was wrong', async () => {
    const text = await terse.newKey();
    const touch = vi.spyOn(terse.store.keys, 'touch');
    const ask = () => terse.ask('/api/v1/key', { headers: { [HEADER.apiKey]: text } });
    const first = terse.clock.now;
    await ask();
    await expect.poll(async () => (await terse.store.keys.list()).at(-1)?.lastUsedAt).toBe(first);
    terse.clock.now += 59_999;
    await ask();
    terse.clock.now += 1;
    await ask();
    terse.clock.now = first - 60_000;
    await ask();
    expect(touch.mock.calls.map(([, at]) => at)).toEqual([first, first + 60_000, first - 60_000]);
    touch.mockRestore();
  });
});

const NEEDS: Record<string, KeyScope | null> = {
  'POST /api/shorten': 'create',
  'POST /api/v1/urls': 'create',
  'POST /api/v1/urls/batch': 'create',
  'GET /api/v1/urls': 'read',
  'GET /api/v1/urls/:shortCode': 'read',
  'GET /api/v1/analytics/:shortCode': 'read',
  'PATCH /api/v1/urls/:shortCode': 'manage',
  'DELETE /api/v1/urls/:shortCode': 'manage',
  'GET /api/v1/key': null,
};
const WITH_KEY = ENDPOINTS.filter(({ key }) => key !== 'none');

let full: string;
beforeAll(async () => {
  full = await terse.newKey();
});

/** Waits until the throttles have reset, and sends a request with the key. */
const ask = (key: string, method: string, path: string, body?: unknown) => {
  terse.clock.now += 5000;
  const sent = body === undefined ? { headers: { [HEADER.authorization]: `Bearer ${key}` } } : post(key, body);
  return terse.ask(path, { ...sent, method });
};
const create = (key: string, shortCode: string) =>
  ask(key, 'POST', '/api/v1/urls', { url: 'https://example.com/', shortCode });
const listed = async (key: string, query = '') =>
  LinkList.parse(await (await ask(key, 'GET', `/api/v1/urls${query}`)).json()).links.map(({ shortCode }) => shortCode);

describe.each(WITH_KEY)('$method $path', ({ method, path }) => {
  const needed = NEEDS[`${method} ${path}`];
  const body = { POST: { url: 'https://example.com/', urls: [{}] }, PATCH: { title: null } }[method as string];

  it('accepts only keys with the required scope', async () => {
    expect(needed).toBeDefined();
    for (const scope of KEY_SCOPES) {
      await create(full, `is-${scope}-${method}`);
      const key = await terse.newKey({ scopes: [scope] });
      const response = await ask(key, method, path.replace(':shortCode', `is-${scope}-${method}`), body);
      if (needed === null || scope === needed) {
        expect(response.status, scope).toBeLessThan(300);
        continue;
      }
      expect(await checkError(response)).toMatchObject({ code: 'forbidden' });
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="terse", error="insufficient_scope", scope="${needed}"`,
      );
      expect(response.headers.get(HEADER.rateLimit)).not.toBeNull();
    }
  });
});

it('a request that needs a scope its key lacks counts against neither the key nor its account', async () => {
  const { id } = await terse.store.accounts.create('another', terse.clock.now);
  const reader = await terse.newAccountKey(id, { scopes: ['read'] });
  const left = async () => KeyDocument.parse(await (await ask(reader, 'GET', '/api/v1/key')).json()).quota.remaining;
  const before = await left();
  for (const path of ['/api/shorten', '/api/v1/urls', '/api/v1/urls/batch']) {
    const body = { url: 'https://example.com/', urls: [{}] };
    expect((await ask(reader, 'POST', path, body)).status).toBe(403);
  }
  expect(await left()).toBe(before);
  const spent = await terse.store.quotas.left(id, 'links', 100);
  expect(spent.left).toBe(100);
});

describe('a key that sees only its own links', () => {
  it('reads, edits and deletes links that it created, and no others of its account', async () => {
    const own = await terse.newKey({ ownLinksOnly: true });
    await create(own, 'own-one');
    await create(full, 'not-own');
    const more = await ask(own, 'POST', '/api/v1/urls/batch', {
      urls: [{ url: 'https://example.com/', shortCode: 'own-two' }],
    });
    expect(BatchAnswer.parse(await more.json()).results[0]?.status).toBe(201);
    for (const [method, path, body] of [
      ['GET', '/api/v1/urls/'],
      ['GET', '/api/v1/analytics/'],
      ['PATCH', '/api/v1/urls/', { title: 'x' }],
      ['DELETE', '/api/v1/urls/'],
    ] as const) {
      expect(await checkError(await ask(own, method, `${path}not-own`, body))).toMatchObject({ code: 'not_found' });
      expect((await ask(own, method, `${path}own-one`, body)).status).toBeLessThan(300);
    }
    expect((await ask(full, 'GET', '/api/v1/urls/not-own')).status).toBe(200);
    expect(await checkError(await create(own, 'not-own'))).toMatchObject({ code: 'short_code_taken' });
  });

  it('lists links that it created in pages, and accepts no other link as a cursor', async () => {
    const own = await terse.newKey({ ownLinksOnly: true });
    for (const code of ['mine-1', 'mine-2', 'mine-3']) {
      await create(own, code);
      await create(full, `full-${code}`);
    }
    expect(await listed(own)).toEqual(['mine-3', 'mine-2', 'mine-1']);
    expect(await listed(own, '?limit=2')).toEqual(['mine-3', 'mine-2']);
    expect(await listed(own, '?cursor=mine-2')).toEqual(['mine-1']);
    expect(await listed(own, '?search=full')).toEqual([]);
    expect(await listed(full)).toEqual(expect.arrayContaining(['mine-1', 'full-mine-1']));
    const response = await ask(own, 'GET', '/api/v1/urls?cursor=full-mine-1');
    expect(await checkError(response)).toMatchObject({ code: 'invalid_request' });
  });
});
