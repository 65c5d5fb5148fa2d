import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import { pageOfLinks } from '../../src/store/search-and-paginate-links.ts';
import type { LinkPosition } from '../../src/store/sql/link-rows.ts';
import { addAndCount, click, clicksOn } from '../support/clicks.ts';
import { link, NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

const pause = async () => {};
export function pagesSuite(bench: Bench): void {
  describe('pages of links', () => {
    it('are sorted by creation time and then by id, regardless of when the links arrived', async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ age: fc.nat(3), deleted: fc.boolean() }), { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          fc.constantFrom('newest' as const, 'oldest' as const),
          async (drawn, limit, order) => {
            round += 1;
            const { id: accountId } = await bench.store.accounts.create(`creation ${round}`, NOON);
            const { links: store } = bench.store;
            for (const [at, { age }] of drawn.entries())
              await store.create(accountId, link([`a${round}-${at}`]), NOON - age);
            // Links to delete between two pages. The next page then continues after a link that no longer exists.
            const doomed = drawn.flatMap(({ deleted }, at) => (deleted ? [`a${round}-${at}`] : []));
            const seen: string[] = [];
            for (let after: LinkPosition | null = null; ; ) {
              const query = { accountId, after, limit, order, matches: null };
              const { links, last } = await pageOfLinks(store, query, pause);
              seen.push(...links.map(({ code }) => code));
              if (!last) break;
              after = last;
              for (const code of doomed) await store.remove(accountId, [code], NOON);
              // The new link is newer than the current page, so it appears on no later page.
              await store.create(accountId, link([`b${round}-${seen.length}`]), order === 'oldest' ? 0 : NOON + 1);
            }
            const due = [...drawn.entries()]
              .toSorted(([one, { age: a }], [two, { age: b }]) => a - b || two - one)
              .map(([at]) => `a${round}-${at}`);
            if (order === 'oldest') due.reverse();
            expect(seen).toEqual(due.filter((code) => seen.includes(code) || !doomed.includes(code)));
          },
        ),
        { numRuns: 10 },
      );
    });

    it('by clicks contain each link once, most clicks first, then the newest, including links without clicks', async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ clicks: fc.nat(3), deleted: fc.boolean() }), { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          async (drawn, limit) => {
            round += 1;
            const accountId = (await bench.store.accounts.create(`round ${round}`, NOON)).id;
            const made: StoredLink[] = [];
            for (const at of drawn.keys()) {
              const one = await bench.store.links.create(accountId, link([`c${round}-${at}`]), NOON);
              made.push(one as StoredLink);
            }
            // The clicks arrive in two batches, so that some links get clicks twice.
            const clicked = (of: (clicks: number) => number) =>
              drawn.flatMap(({ clicks }, at) => {
                const id = made[at]?.id as number;
                const bots = clicks % 2 ? [] : [click(id, { bot: true })];
                return [...clicksOn(id, dayOf(NOON), 12, of(clicks)), ...bots];
              });
            await addAndCount(
              bench.store,
              clicked((n) => Math.min(n, 1)),
            );
            await addAndCount(
              bench.store,
              clicked((n) => Math.max(n - 1, 0)),
            );
            for (const [at, { deleted }] of drawn.entries()) {
              if (deleted) await bench.store.links.remove(accountId, [made[at]?.code as string], NOON);
            }
            const due = [...drawn.entries()]
              .filter(([, { deleted }]) => !deleted)
              .toSorted(([one, { clicks: few }], [two, { clicks: many }]) => many - few || two - one)
              .map(([at, { clicks }]) => ({ code: made[at]?.code, clicks }));
            const seen: { code: string; clicks: number }[] = [];
            for (let after: LinkPosition | null = null; ; ) {
              const query = { accountId, after, limit, order: 'clicks' as const, matches: null };
              const { links, last } = await pageOfLinks(bench.store.links, query, pause);
              seen.push(...links.map(({ code, clicks }) => ({ code, clicks })));
              if (!last) break;
              after = last;
            }
            expect(seen).toEqual(due);
          },
        ),
        { numRuns: 10 },
      );
    });
  });
}
