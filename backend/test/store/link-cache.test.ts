import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLinkCache, type LinkCache } from '../../src/redirects/link-cache.ts';
import { StoreUnavailable } from '../../src/store/store-errors.ts';

const LINK = { id: 1, url: 'https://example.com/', expiresAt: null, deletedAt: null, forwardQuery: null };

/** A store whose behavior the test controls: it responds, fails or never responds. */
const store = {
  state: 'answers' as 'answers' | 'refuses' | 'is silent',
  /** Time that a lookup takes. */
  delay: 0,
  url: LINK.url,
  resolved: [] as string[],
  links: null as number | null,
  revision: () => store.links,
  async resolve(code: string) {
    store.resolved.push(code);
    now += store.delay;
    if (store.state === 'is silent') return new Promise<never>(() => {});
    if (store.state === 'refuses') throw new StoreUnavailable('on purpose');
    return code.startsWith('unknown') ? null : { ...LINK, url: store.url };
  },
};

let now: number;
let cache: LinkCache;
beforeEach(async () => {
  Object.assign(store, { state: 'answers', delay: 0, url: LINK.url, links: null });
  now = 5000;
  cache = createLinkCache(store, { most: 100, monotonic: () => now });
  await cache.fetch('known');
  store.resolved = [];
});

describe('the link cache', () => {
  it('returns links that were requested before, and reads them again within a second', async () => {
    now += 899;
    expect(cache.peek('known')).toEqual(LINK);
    expect(store.resolved).toEqual([]);
    now += 1;
    store.url = 'https://example.com/changed';
    expect([cache.peek('known'), cache.has('known')]).toEqual([undefined, true]);
    expect(await cache.fetch('known')).toMatchObject({ url: store.url });
    expect(cache.peek('known')).toMatchObject({ url: store.url });
  });

  it('returns links of any age until the revision of the links changes', async () => {
    store.links = 1;
    now += 900;
    await cache.fetch('known');
    await cache.fetch('other');
    now += 1_000_000;
    expect([cache.peek('known'), cache.peek('other')]).toEqual([LINK, LINK]);
    store.links = 2;
    expect(cache.peek('known')).toBeUndefined();
    await cache.fetch('known');
    expect([cache.peek('known'), cache.peek('other')]).toEqual([LINK, undefined]);
  });

  it('counts the age of a link from before its lookup', async () => {
    store.delay = 900;
    await cache.fetch('slow');
    expect(cache.peek('slow')).toBeUndefined();
  });

  it('does not cache unknown codes, so that a new link works at once', async () => {
    for (const _ of [1, 2]) expect(await cache.fetch('unknown')).toBeNull();
    expect(store.resolved).toEqual(['unknown', 'unknown']);
  });

  it('drops a link on request', () => {
    cache.forget('known');
    expect(cache.peek('known')).toBeUndefined();
  });

  it('contains a maximum number of links: the least recently used is removed', async () => {
    for (let at = 0; at < 100; at += 1) await cache.fetch(`code${at}`);
    expect([cache.peek('known'), cache.peek('code0')]).toMatchObject([undefined, LINK]);
  });

  it('reports a failure of the store for a link that is not cached', async () => {
    store.state = 'refuses';
    await expect(cache.fetch('other')).rejects.toThrow(StoreUnavailable);
    store.state = 'answers';
    expect(await cache.fetch('other')).toEqual(LINK);
  });
});

describe.each(['refuses', 'is silent'] as const)('while the store %s, the link cache', (state) => {
  beforeEach(async () => {
    store.state = state;
    now += 1000;
    expect(await cache.fetch('known')).toEqual(LINK);
  });

  it('returns a link for a minute after it was read', async () => {
    now += 58_999;
    expect(await cache.fetch('known')).toEqual(LINK);
    now += 1;
    expect(cache.peek('known')).toBeUndefined();
  });

  it('returns a link without waiting for the store again', () => {
    now += 899;
    expect(cache.peek('known')).toEqual(LINK);
  });

  it('returns nothing outdated if the store was back while no link was requested', async () => {
    store.state = 'answers';
    store.url = 'https://example.com/changed';
    now += 900;
    expect(cache.peek('known') ?? (await cache.fetch('known'))).toMatchObject({ url: store.url });
  });

  it('asks the store again every half second, not for every redirect', async () => {
    store.resolved = [];
    for (let time = 0; time < 100; time += 1) cache.peek('known');
    expect(store.resolved).toEqual([]);
    now += 500;
    for (let time = 0; time < 100; time += 1) cache.peek('known');
    await setImmediate();
    expect(store.resolved).toEqual(['known']);
  });

  it('returns nothing outdated as soon as the store responds', async () => {
    store.state = 'answers';
    store.url = 'https://example.com/changed';
    now += 500;
    cache.peek('known');
    await vi.waitFor(() => expect(cache.peek('known')).toMatchObject({ url: store.url }));
  });
});
