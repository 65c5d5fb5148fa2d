import type { LinkList } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDatabase, type ServeProcess } from './support/process.ts';
import { follow as followOn } from './support/raw.ts';
import { post } from './support/service.ts';
import { folderForEach } from './support/test-folder.ts';

const ONE = { TERSE_SHORT_BASE_URL: 'https://sho.rt' };
const BASES = { TERSE_SHORT_BASE_URL: 'https://sho.rt,https://go.example' };
const MANY = { TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000', TERSE_BASE_URL: 'https://links.example' };

const FIRST = { url: 'https://example.com/0?a=b', shortCode: 'Promo', title: null, expiresAt: null };

const folder = folderForEach();
let key: string;
let running: ServeProcess | null = null;

/** Creates links of a service that has only one domain. */
beforeEach(async () => {
  running = null;
  await makeDatabase(folder.path);
  key = (await folder.run(['keys', 'create', '--name', 'test'])).stdout.trim();
  await serve(ONE);
  expect((await ask('/api/v1/urls', post(key, FIRST, { 'Idempotency-Key': 'promo' }))).status).toBe(201);
  for (const shortCode of ['deleted1', 'lower-case'])
    await ask('/api/v1/urls', post(key, { url: `https://example.com/${shortCode}`, shortCode }));
  await ask('/api/v1/urls/deleted1', { method: 'DELETE' });
});

async function serve(settings: Record<string, string>): Promise<ServeProcess> {
  if (running) expect(await running.end('SIGTERM')).toBe(0);
  running = await folder.serve({ ...MANY, ...settings });
  return running;
}

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${running?.addresses.api}${path}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });

const follow = (host: string, code: string) => followOn(running?.addresses.short ?? '', host, code);

describe('a service with one domain', { timeout: 60_000 }, () => {
  it('can get further domains, and old links and repeated requests still work', async () => {
    await serve(BASES);
    const listed = (await (await ask('/api/v1/urls?limit=100')).json()) as LinkList;
    expect(listed.links).toMatchObject(['lower-case', 'Promo'].map((shortCode) => ({ shortCode, domain: 'sho.rt' })));
    for (const { shortCode, url } of listed.links) {
      expect(await follow('sho.rt', shortCode)).toBe(url);
      expect(await follow('go.example', shortCode)).toBe(404);
    }
    expect(await follow('sho.rt', 'deleted1')).toBe(410);
    const repeated = await ask('/api/v1/urls', post(key, FIRST, { 'Idempotency-Key': 'promo' }));
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await repeated.json()).toMatchObject({ shortUrl: 'https://sho.rt/Promo' });
  });

  it('keeps the links of a removed domain, but does not serve them until the domain is back', async () => {
    await serve(BASES);
    const body = { url: 'https://example.com/go', shortCode: 'Promo', domain: 'go.example' };
    expect((await ask('/api/v1/urls', post(key, body))).status).toBe(201);
    await serve(ONE);
    const warning = running
      ?.stderr()
      .split('\n')
      .find((line) => line.includes('"warn"'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ host: 'go.example' });
    expect(await follow('go.example', 'Promo')).toBe(404);
    expect(await follow('sho.rt', 'Promo')).toBe(FIRST.url);
    const path = '/api/v1/urls/Promo?domain=go.example';
    expect(await (await ask(path)).json()).toMatchObject({
      shortUrl: 'https://go.example/Promo',
      domain: 'go.example',
    });
    expect((await ask('/api/v1/urls', post(key, { ...body, shortCode: 'other' }))).status).toBe(400);
    const domainsIn = async (query: string) => {
      const { links } = (await (await ask(`/api/v1/urls?search=promo${query}`)).json()) as LinkList;
      return links.map(({ domain }) => domain);
    };
    expect(await domainsIn('')).toEqual(['sho.rt']);
    expect(await domainsIn('&domain=*')).toEqual(['go.example', 'sho.rt']);
    await serve(BASES);
    expect(await follow('go.example', 'Promo')).toBe('https://example.com/go');
    expect(running?.stderr()).not.toContain('"warn"');
    const deletion = ['links', 'delete', 'Promo', '--domain', 'go.example'];
    expect(await folder.run(deletion, BASES)).toMatchObject({ code: 0 });
    expect(await (await ask(path)).json()).toMatchObject({ code: 'gone' });
    expect(await follow('sho.rt', 'Promo')).toBe(FIRST.url);
  });

  it('does not start with a default domain whose links were created under another default', async () => {
    await serve(BASES);
    await ask('/api/v1/urls', post(key, { url: 'https://example.com/', domain: 'go.example' }));
    expect(await running?.end('SIGTERM')).toBe(0);
    const swapped = await folder.run(['serve'], { TERSE_SHORT_BASE_URL: 'https://go.example,https://sho.rt' });
    expect(swapped).toMatchObject({ code: 78, stderr: expect.stringContaining('go.example is the first address') });
  });
});
