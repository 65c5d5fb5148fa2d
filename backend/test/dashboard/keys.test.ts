import { parseConnectionLink } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { post } from '../support/service.ts';
import { makeKey as makeKeyInStore } from '../support/store.ts';
import { holder, ownerForEach, textOf } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

async function makeKey(fields: Record<string, string> = {}, visitor = ada) {
  const answer = await visitor.post('/keys', { name: 'Laptop', 'scope-create': 'yes', 'scope-read': 'yes', ...fields });
  expect(answer.status).toBe(200);
  const [, text = ''] = /<code>(http[^<]+)<\/code>/.exec(await answer.text()) ?? [];
  const connection = parseConnectionLink(text.replaceAll('&amp;', '&'));
  if (!connection) throw new Error(`No connection link in ${text}`);
  return connection;
}
const shorten = (key: string) => terse.ask('/api/shorten', post(key, { url: 'https://example.com/' }));

describe('a key', () => {
  it('is shown once, as a connection link that works', async () => {
    const { baseUrl, apiKey, ...access } = await makeKey();
    expect(baseUrl).toBe(terse.service.addresses.baseUrl);
    expect(access).toEqual({ scopes: ['create', 'read'], ownLinksOnly: false });
    expect((await shorten(apiKey)).status).toBe(200);
    const list = await ada.page('/keys');
    expect(list).not.toContain(apiKey);
    expect(list).toContain(`…${apiKey.slice(-4)}`);
    expect(await ada.page('/keys/1')).not.toContain(apiKey);
  });

  it('has only the selected permissions', async () => {
    expect(await ada.page('/keys')).toMatch(/name="scope-create"[^>]* checked.*name="scope-manage"[^>]* checked/s);
    const fields = { name: 'Phone', 'scope-create': 'yes', 'scope-manage': 'yes', ownLinksOnly: 'yes' };
    const html = await (await ada.post('/keys', fields)).text();
    expect(textOf(html)).toContain('Can create and manage its own links');
    expect(await terse.store.keys.list()).toMatchObject([
      { name: 'Phone', scopes: ['create', 'manage'], ownLinksOnly: true },
    ]);
    for (const path of ['/keys', '/keys/1']) {
      expect(textOf(await ada.page(path))).toContain('Can create and manage its own links');
    }
  });

  it.each([
    [{}, 'Choose at least one permission.'],
    [{ 'scope-read': 'yes', ownLinksOnly: 'yes' }, /^A key that cannot create links has no links of its own/],
  ])('is not created if %j is selected', async (ticked: Record<string, string>, sentence) => {
    const answer = await ada.post('/keys', { name: 'Phone', ...ticked });
    const html = await answer.text();
    expect([answer.status, /id="scopes-problem">([^<]*)</.exec(html)?.[1]]).toEqual([
      400,
      expect.stringMatching(sentence),
    ]);
    expect([...html.matchAll(/id="([\w-]+)"[^>]*\bautofocus\b/g)].map(([, id]) => id)).toEqual(['scope-create']);
    expect(html.includes('name="scope-create" value="yes" aria-describedby="scope-create-help" checked')).toBe(false);
    expect(await terse.store.keys.list()).toEqual([]);
  });

  it('shows its usage, its quota and when it was last used', async () => {
    const { apiKey } = await makeKey({ quota: '7' });
    expect(textOf(await ada.page('/keys'))).toContain('Never used');
    await shorten(apiKey);
    expect(await ada.page('/keys')).toContain('<progress max="7" value="6" aria-label="6 of 7 links left today">');
    // The server records a key's last use shortly after its response.
    await expect.poll(async () => textOf(await ada.page('/keys'))).toContain('Last used 1 Jul 2026, 12:00 UTC');
    terse.clock.now += 86_400_000;
    expect(await ada.page('/keys')).toContain('7 of 7 links left today');
  });

  it('can be renamed and given other limits, with immediate effect', async () => {
    const { apiKey } = await makeKey({ quota: '1' });
    await shorten(apiKey);
    terse.clock.now += 1000;
    expect((await shorten(apiKey)).status).toBe(429);
    const answer = await ada.post('/keys/1', { name: 'Desk', quota: '2', throttle: '' });
    expect(answer.headers.get('location')).toBe('/keys?done=saved');
    expect((await shorten(apiKey)).status).toBe(200);
    expect(await ada.page('/keys')).toContain('Desk');
  });

  it('is revoked after a confirmation, and then does not work', async () => {
    const { apiKey } = await makeKey();
    expect(await ada.page('/keys/1')).toContain('stops working immediately and cannot be restored');
    expect((await shorten(apiKey)).status).toBe(200);
    await ada.post('/keys/1/revoke');
    expect((await shorten(apiKey)).status).toBe(401);
    expect(textOf(await ada.page('/keys'))).not.toContain('Laptop');
    expect((await ada.get('/keys/1')).status).toBe(404);
    expect((await ada.post('/keys/1', { name: 'Zombie' })).status).toBe(404);
  });

  it.each([
    [{ name: '' }, 'name', 'Please enter a name.'],
    [{ name: 'x'.repeat(101) }, 'name', 'A name can have at most 100 characters.'],
    [{ name: 'a\u202eb' }, 'name', 'A name must not contain invisible characters.'],
    [{ quota: '0' }, 'quota', /whole number from 1/],
    [{ quota: '1.5' }, 'quota', /whole number from 1/],
    [{ throttle: 'fast' }, 'throttle', /from 0.001/],
  ])('is not created from %j, with a message next to the field', async (fields, field, sentence) => {
    const answer = await ada.post('/keys', { name: 'Laptop', 'scope-create': 'yes', ...fields });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(/id="(\w+)-problem">([^<]*)</.exec(html)?.slice(1)).toEqual([field, expect.stringMatching(sentence)]);
    expect(html).toContain('aria-invalid="true"');
    expect(await terse.store.keys.list()).toEqual([]);
  });

  it('of the owner can exceed the limits of the service, but not keys of other accounts', async () => {
    const { apiKey } = await makeKey({ quota: '5000', throttle: '50' });
    const limits = await (await terse.ask('/api/v1/key', { headers: { 'X-API-Key': apiKey } })).json();
    expect(limits).toMatchObject({ quota: { limit: 5000 } });

    const grace = await holder(terse, 'Grace');
    const greedy = await grace.post('/keys', { name: 'More', quota: '21', throttle: '2' });
    expect(greedy.status).toBe(400);
    expect(await greedy.text()).toMatch(/This server allows at most 20\..*This server allows at most 1\./s);
    await makeKey({ quota: '5', throttle: '0.5' }, grace);
    expect((await grace.post('/keys/2', { name: 'More', quota: '21', throttle: '' })).status).toBe(400);
  });

  it('of other accounts follows lowered limits of the service', async () => {
    const grace = await holder(terse, 'Grace');
    const { id: accountId } = (await terse.store.accounts.list())[1] as { id: number };
    const { apiKey } = await makeKey({ quota: '20', throttle: '1' }, grace);
    const [key] = await terse.store.keys.list(accountId);
    // The key's limit is higher than the service now allows.
    await terse.store.keys.change(accountId, key?.id as number, { name: 'Laptop', quota: 5000, throttle: 50 });
    expect(await grace.page('/keys')).toContain('20 of 20 links left today');
    const limits = await (await terse.ask('/api/v1/key', { headers: { 'X-API-Key': apiKey } })).json();
    expect(limits).toMatchObject({ quota: { limit: 20 }, throttle: { limit: 1 } });
    expect((await shorten(apiKey)).headers.get('ratelimit-policy')).toContain('"quota";q=20;');
    expect((await shorten(apiKey)).status).toBe(429);
  });

  it('counts toward its account’s daily maximum of keys, even if revoked, except for the owner', async () => {
    const grace = await holder(terse, 'Grace');
    const [{ id: owner } = { id: 0 }, { id: accountId } = { id: 0 }] = await terse.store.accounts.list();
    for (const id of [owner, accountId]) {
      for (let at = 0; at < 50; at += 1)
        await makeKeyInStore(terse.store, { accountId: id, createdAt: terse.clock.now });
    }
    const [first] = await terse.store.keys.list(accountId);
    // Revoked keys count too. Otherwise a user could get a new quota with each new key.
    await grace.post(`/keys/${first?.id}/revoke`);
    const refused = await grace.post('/keys', { name: 'More', 'scope-create': 'yes' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('You have reached the limit of 50 API keys'),
    ]);
    terse.clock.now += 86_400_000;
    await makeKey({}, grace);
    await makeKey();
  });

  it('of another account is not found', async () => {
    await makeKey();
    const grace = await holder(terse, 'Grace');
    expect(textOf(await grace.page('/keys'))).toContain('No API keys yet');
    expect((await grace.get('/keys/1')).status).toBe(404);
    for (const path of ['/keys/1', '/keys/1/revoke']) {
      expect((await grace.post(path, { name: 'Mine now' })).status).toBe(404);
    }
    expect(await terse.store.keys.list()).toMatchObject([{ name: 'Laptop', revokedAt: null }]);
  });

  it('made on the command line belongs to the owner', async () => {
    await terse.newKey();
    expect(textOf(await ada.page('/keys'))).toContain('test …');
  });
});
