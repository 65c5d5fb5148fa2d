import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLinkCache, type LinkCache } from '../../src/redirects/link-cache.ts';
import { StoreUnavailable } from '../../src/store/store-errors.ts';

/** A store whose behavior the test controls: it responds, fails or never responds. */
const store = {
  state: 'answers' as 'answers' | 'refuses' | 'is silent',
  changes: 1,
  codes: null as string[] | null,
  asked: 0,
  resolved: [] as string[],
};
const answer = async <Value>(value: Value): Promise<Value> => {
  if (store.state === 'is silent') return new Promise(() => {});
  if (store.state === 'refuses') throw new StoreUnavailable('on purpose');
  return value;
};
const links = {
  resolve(code: string) {
    store.resolved.push(code);
    return answer({ id: 1, url: 'https://example.com/', expiresAt: null, deletedAt: null, forwardQuery: null });
  },
  changesSince(last: number | null) {
    store.asked += 1;
    const since = last === store.changes ? [] : store.codes;
    return answer({ changes: store.changes, codes: last === null ? null : since });
  },
};

let now: number;
let cache: LinkCache;
beforeEach(async () => {
  Object.assign(store, { state: 'answers', changes: 1, codes: null, asked: 0 });
  now = 5000;
  cache = createLinkCache(links, { most: 100, monotonic: () => now });
  // The first lookup is not cached, because the cache asks for changes at the same time.
  for (const code of ['first', 'known', 'other']) await cache.fetch(code);
  store.resolved = [];
});

it('the link cache has a link while it asks the store for changes, but not after the link has changed', async () => {
  now += 1000;
  Object.assign(store, { changes: 2, codes: ['known'] });
  const found = cache.fetch('other');
  expect([cache.peek('known'), cache.has('known'), cache.has('unknown')]).toEqual([undefined, true, false]);
  await found;
  expect([cache.has('known'), cache.has('other')]).toEqual([false, true]);
});

describe.each(['refuses', 'is silent'] as const)('while the store %s, the link cache', (state) => {
  it('returns cached links for a minute, and no longer', async () => {
    store.state = state;
    now += 1000;
    expect(await cache.fetch('known')).toMatchObject({ id: 1 });
    now += 58_999;
    expect(cache.peek('known')).toMatchObject({ id: 1 });
    now += 1;
    expect(cache.peek('known')).toBeUndefined();
  });

  it('does not wait for the store after it has failed once', async () => {
    store.state = state;
    now += 1000;
    await cache.fetch('known');
    now += 20_000;
    expect(cache.peek('known')).toMatchObject({ id: 1 });
  });

  it('asks the store at once if a link is not cached or has expired', async () => {
    store.state = state;
    const ask = (code: string) => cache.fetch(code).catch(() => null);
    now += 1000;
    ask('unknown');
    await setImmediate();
    now += 60_000;
    ask('known');
    await setImmediate();
    await setImmediate();
    expect(store.resolved).toEqual(['unknown', 'known']);
  });

  it('asks the store again every half second, not for every redirect', async () => {
    store.state = state;
    now += 1000;
    await cache.fetch('known');
    store.asked = 0;
    for (let time = 0; time < 100; time += 1) {
      cache.peek('known');
      await setImmediate();
    }
    expect(store.asked).toBe(0);
    now += 500;
    for (let time = 0; time < 100; time += 1) cache.peek('known');
    expect(store.asked).toBe(1);
  });

  it('drops changed links as soon as the store reports them', async () => {
    store.state = state;
    now += 1000;
    await cache.fetch('known');
    Object.assign(store, { state: 'answers', changes: 2 });
    now += 500;
    expect(cache.peek('known')).toMatchObject({ id: 1 });
    await vi.waitFor(() => expect(cache.peek('known')).toBeUndefined());
  });
});

it('the link cache waits for a store that responds, and serves nothing outdated', async () => {
  store.changes = 2;
  now += 1000;
  expect(cache.peek('known')).toBeUndefined();
  expect(await cache.fetch('known')).toMatchObject({ id: 1 });
});

it('the link cache drops only changed links, or all links if the changed codes are unknown', async () => {
  Object.assign(store, { changes: 2, codes: ['other', 'never at hand'] });
  now += 1000;
  for (const code of ['known', 'other']) await cache.fetch(code);
  expect(store.resolved).toEqual(['other']);
  Object.assign(store, { changes: 3, codes: null });
  now += 1000;
  for (const code of ['known', 'other']) await cache.fetch(code);
  expect(store.resolved).toEqual(['other', 'known', 'other']);
});

describe('a link that changes while it is looked up', () => {
  /** Returns a cache that looks up the code `new` until the returned function is called. */
  async function lookingUp() {
    const found = Promise.withResolvers<Awaited<ReturnType<typeof links.resolve>>>();
    let isSlow = false;
    const slow = {
      ...links,
      resolve: (code: string) => (isSlow ? found.promise : links.resolve(code)),
    };
    const busy = createLinkCache(slow, { most: 100, monotonic: () => now });
    await busy.fetch('other');
    isSlow = true;
    const pending = busy.fetch('new');
    await setImmediate();
    const finish = async () => {
      found.resolve(await links.resolve('new'));
      isSlow = false;
      await pending;
    };
    return { busy, finish };
  }

  it('is cached only if nothing has changed meanwhile', async () => {
    const { busy, finish } = await lookingUp();
    await finish();
    expect(busy.peek('new')).toMatchObject({ id: 1 });
  });

  it('is not cached if this process has changed it', async () => {
    const { busy, finish } = await lookingUp();
    busy.forget('new');
    await finish();
    expect(busy.peek('new')).toBeUndefined();
  });

  it.each([
    ['changes of this link', { changes: 2, codes: ['new'] }, 1000],
    ['changes of unknown links', { changes: 2, codes: null }, 1000],
    ['no changes, but was not asked for a minute', {}, 61_000],
  ])('is not cached if the store reports %s', async (_, reported, ms) => {
    const { busy, finish } = await lookingUp();
    Object.assign(store, reported);
    now += ms;
    const other = busy.fetch('other');
    await setImmediate();
    await finish();
    await other;
    expect(busy.peek('new')).toBeUndefined();
  });
});

it('the link cache is emptied after a minute without use, because the database may have been replaced', async () => {
  // A standby server that missed the last changes can reach the same change number with changes to other links.
  now += 60_900;
  await cache.fetch('known');
  expect(store.resolved).toEqual(['known']);
});

describe('the link cache of a service that ignores case', () => {
  it('removes changed links, whatever the case of their stored codes', async () => {
    cache = createLinkCache(links, { most: 100, fold: (code) => code.toLowerCase(), monotonic: () => now });
    const fill = async () => {
      for (const code of ['first', 'known', 'other']) await cache.fetch(code);
    };
    await fill();
    cache.forget('Known');
    expect([cache.peek('known'), cache.peek('other')]).toMatchObject([undefined, { id: 1 }]);
    await fill();
    Object.assign(store, { changes: 2, codes: ['KNOWN'] });
    now += 1000;
    await cache.fetch('other');
    expect([cache.peek('known'), cache.peek('other')]).toMatchObject([undefined, { id: 1 }]);
  });
});
