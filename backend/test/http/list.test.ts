import { HEADER, LinkList } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serviceWithKeyForEach } from '../support/service.ts';
import { link, makeKey, submission } from '../support/store.ts';

const terse = serviceWithKeyForEach();

const ask = (query: string) => {
  terse.clock.now += 1000;
  return terse.ask(`/api/v1/urls${query}`, { headers: { [HEADER.apiKey]: terse.key } });
};
const page = async (query: Record<string, string>) =>
  LinkList.parse(await (await ask(`?${new URLSearchParams(query)}`)).json());
const make = async (...links: ReturnType<typeof link>[]) =>
  terse.store.createRequests.submit(submission(await makeKey(terse.store), { links }));
const codesOf = ({ links }: LinkList) => links.map(({ shortCode }) => shortCode);

async function everyPage(query: Record<string, string>, between = async () => {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const list: LinkList = await page({ ...query, ...(cursor ? { cursor } : {}) });
    pages.push(codesOf(list));
    cursor = list.nextCursor;
    await between();
  }
  return pages;
}

describe('GET /api/v1/urls', () => {
  it('uses the first of several equal parameters', async () => {
    await make(link(['one']), link(['two']));
    expect(codesOf(LinkList.parse(await (await ask('?limit=1&limit=100')).json()))).toHaveLength(1);
    expect((await ask('?limit=x&limit=1')).status).toBe(400);
  });

  it('lists the newest first, with expired and without deleted links', async () => {
    const expiresAt = terse.clock.now + 1;
    await make(link(['first']), link(['second']), link(['third'], { expiresAt }), link(['fourth']));
    await terse.store.links.remove(1, ['second'], terse.clock.now);
    expect(await page({})).toMatchObject({
      links: [{ shortCode: 'fourth' }, { shortCode: 'third' }, { shortCode: 'first' }],
      nextCursor: null,
    });
  });

  it('returns every link once, for any page size', async () => {
    const codes = Array.from({ length: 23 }, (_, at) => `code-${at}`);
    await make(...codes.map((code) => link([code])));
    const sizes = fc.integer({ min: 1, max: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, async (limit) => {
        const pages = await everyPage({ limit: String(limit) });
        expect(pages.flat()).toEqual(codes.toReversed());
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
        expect(pages.at(-1)).not.toHaveLength(0);
      }),
      { numRuns: 15 },
    );
  });

  it('returns search results in pages', async () => {
    const codes = Array.from({ length: 30 }, (_, at) => `${at % 3 ? 'dull' : 'rare'}-${at}`);
    await make(...codes.map((code) => link([code])));
    const pages = await everyPage({ limit: '4', search: 'RARE' });
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(pages.flat()).toEqual(codes.filter((code) => code.startsWith('rare')).toReversed());
  });

  it('searches a limited number of links per request, and continues from there', async () => {
    await make(link(['needle'], { title: 'needle' }));
    for (let made = 0; made < 21_000; made += 3000) {
      await make(...Array.from({ length: 3000 }, (_, at) => link([`hay-${made + at}`])));
    }
    const first = await page({ search: 'needle' });
    expect(first.links).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    expect(await page({ search: 'needle', cursor: first.nextCursor ?? '' })).toMatchObject({
      links: [{ shortCode: 'needle' }],
      nextCursor: null,
    });
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=1.5',
    '?limit=x',
    '?limit=0x10',
    '?limit=1e1',
    '?limit=%2B5',
    '?limit=%205',
    '?limit=',
    '?cursor=',
    '?cursor=unknown',
    '?cursor=a%00b',
    `?search=${'a'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    const response = await ask(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });
});
