import { describe, expect, test } from 'vitest';
import { exampleLink } from '../../../contract/test/example-link.ts';
import { MAX_LINKS, syncServiceLinks } from '../../../src/background/link-sync.ts';
import type { SyncResult } from '../../../src/messages/protocol.ts';
import { callServer } from '../../../src/servers/call-server.ts';
import type { ListedLink } from '../../../src/servers/link-operations.ts';
import type { Seen } from '../../../src/storage/merge-service-links.ts';
import { terseServer } from '../servers/terse-server.ts';

const START = Date.parse('2026-04-01T00:00:00.000Z');

interface Answer {
  status: number;
  body: unknown;
}

const page = (links: unknown[], nextCursor: unknown = null): Answer => ({ status: 200, body: { links, nextCursor } });
const status = (code: number): Answer => ({ status: code, body: { error: 'No.', code: 'x' } });

/** Syncs with a service that returns the given answers. A null answer simulates an unreachable service. */
async function sync(answer: (path: string, count: number) => Answer | null, stores = true) {
  const asked: string[] = [];
  const stored: ListedLink[] = [];
  const counts: number[] = [];
  let seen: Seen | null = null;
  const fetch = async (url: string) => {
    asked.push(url.slice('https://x.example/api/v1/'.length));
    const given = answer(url, asked.length);
    if (!given) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(given.body), { status: given.status });
  };
  const server = terseServer({ baseUrl: 'https://x.example', apiKey: 'key' }, { fetch });
  const result: SyncResult = await syncServiceLinks({
    list: (cursor) => callServer(server, (adapter, context) => adapter.list?.(cursor, context)),
    store: async (links) => {
      stored.push(...links);
      return stores;
    },
    removeMissing: async (all) => {
      seen = all;
      return stores;
    },
    keyOf: ({ shortCode }) => shortCode,
    progress: (count) => void counts.push(count),
    startedAt: START,
  });
  return { result, asked, stored, counts, seen: seen as Seen | null };
}

test('a list is read page by page, and each page is stored at once', async () => {
  const { result, asked, stored, counts, seen } = await sync((_path, count) =>
    count === 1 ? page([exampleLink('a'), exampleLink('b')], 'next/1') : page([exampleLink('c')]),
  );
  expect(result).toEqual({ at: START, unreadable: 0, isCut: false });
  expect(asked).toEqual(['urls?limit=100', 'urls?limit=100&cursor=next%2F1']);
  expect(stored.map(({ shortCode }) => shortCode)).toEqual(['a', 'b', 'c']);
  expect(counts).toEqual([2, 3]);
  expect(seen).toEqual({ keys: new Set(['a', 'b', 'c']), startedAt: START, oldest: null });
});

test('an empty list is read', async () => {
  expect((await sync(() => page([]))).result).toEqual({ at: START, unreadable: 0, isCut: false });
});

test.each<[Answer | null, string]>([
  [status(401), 'unauthorized'],
  [status(403), 'forbidden'],
  [{ status: 404, body: { error: 'No.', code: 'not_found' } }, 'cannot_list'],
  [{ status: 404, body: undefined }, 'not_understood'],
  [status(405), 'cannot_list'],
  [status(400), 'refused'],
  [status(500), 'unreachable'],
  [status(503), 'unreachable'],
  [status(429), 'throttled'],
  [null, 'unreachable'],
  [{ status: 302, body: '' }, 'redirected'],
  [{ status: 200, body: undefined }, 'not_understood'],
  [{ status: 200, body: [exampleLink('a')] }, 'not_understood'],
  [page([], 7), 'not_understood'],
  [page([], 'x'.repeat(10_000)), 'not_understood'],
])('%j ends the sync with a problem and deletes nothing', async (answer, problem) => {
  const { result, seen } = await sync(() => answer);
  expect(result).toEqual({ problem });
  expect(seen).toBeNull();
});

describe('a hostile service', () => {
  test('with a repeated cursor is not followed', async () => {
    const { result, asked } = await sync((_path, count) => page([exampleLink(`a${count}`)], ['x', 'y'][count % 2]));
    expect(result).toEqual({ problem: 'not_understood' });
    expect(asked.length).toBeLessThan(5);
  });

  test('with an endless list is read up to a limit, and nothing beyond it is deleted', async () => {
    const endless = await sync((_path, count) =>
      page(
        Array.from({ length: 1_000 }, (_, index) => exampleLink(`a${count}-${index}`)),
        `${count}`,
      ),
    );
    expect(endless.result).toMatchObject({ isCut: true });
    expect(endless.stored).toHaveLength(MAX_LINKS);
    expect(endless.seen?.oldest).toBe(Date.parse('2026-03-28T09:30:00.000Z'));
  });

  test('with endless empty pages is not read to the end', async () => {
    const { result, asked } = await sync((_path, count) => page([], `${count}`));
    expect(result).toMatchObject({ isCut: true });
    expect(asked.length).toBeLessThan(1_000);
  });

  test.each([
    null,
    7,
    'text',
    [],
    {},
    exampleLink('', {}),
    exampleLink('a', { shortUrl: 'javascript:alert(1)' }),
    exampleLink('a', { shortUrl: 'https://s.example/\u202Egnp' }),
    exampleLink('a', { clicks: -1 }),
    exampleLink('a', { clicks: '7' }),
    exampleLink('a', { createdAt: 'yesterday' }),
    exampleLink('a', { url: 'https://x.example/'.repeat(2_000) }),
    exampleLink('a'.repeat(10_000)),
  ])('that lists the invalid link %j has only this link skipped', async (wrong) => {
    const { result, stored } = await sync(() => page([exampleLink('x'), wrong, exampleLink('y')]));
    expect(result).toMatchObject({ unreadable: 1 });
    expect(stored.map(({ shortCode }) => shortCode)).toEqual(['x', 'y']);
  });

  test('with endless titles gets its titles shortened', async () => {
    const { stored } = await sync(() => page([exampleLink('x', { title: 'long '.repeat(100_000) })]));
    expect(stored[0]?.title?.length).toBeLessThan(2_000);
  });
});

test('no link counts as missing if the list became shorter while its pages were read', async () => {
  const link = { shortUrl: 'https://s.example/a', url: 'https://x.example/', title: null, expiresAt: null, clicks: 0 };
  const missingAfter = async (totals: number[]) => {
    let seen: Seen | null = null;
    const result = await syncServiceLinks({
      list: async (cursor) => {
        const index = Number(cursor);
        const links = [{ ...link, shortCode: `c${index}`, createdAt: START }];
        const nextCursor = index + 1 < totals.length ? `${index + 1}` : null;
        return { value: { links, unreadable: 0, nextCursor, total: totals[index] } };
      },
      store: async () => true,
      removeMissing: async (all) => {
        seen = all;
        return true;
      },
      keyOf: ({ shortCode }) => shortCode,
      progress: () => {},
      startedAt: START,
    });
    expect(result).toEqual({ at: START, unreadable: 0, isCut: false });
    return (seen as Seen | null)?.oldest;
  };
  expect(await missingAfter([3, 3, 3])).toBeNull();
  // A new link moves older links to a later page, and the next page contains them again.
  expect(await missingAfter([3, 4, 4])).toBeNull();
  expect(await missingAfter([3, 4, 3])).toBe(Number.POSITIVE_INFINITY);
});

test('a sync ends if its connection has changed', async () => {
  const { result, asked } = await sync((_path, count) => page([exampleLink('a')], `${count}`), false);
  expect(result).toBeNull();
  expect(asked).toHaveLength(1);
});
