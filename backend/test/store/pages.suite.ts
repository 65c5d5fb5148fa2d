import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOfLinks } from '../../src/store/page.ts';
import { FIRST_ACCOUNT } from '../../src/store/store.ts';
import { link, makeKey, NOON, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

const turn = async () => {};

export function pagesSuite(bench: Bench): void {
  const make = async (codes: string[]) => {
    const links = codes.map((code) => link([code]));
    await bench.store.submissions.submit(submission(await makeKey(bench.store), { links }));
  };
  const page = (after: number | null, limit: number, wanted?: RegExp, accountId = FIRST_ACCOUNT) => {
    const matches = wanted ? ({ code }: { code: string }) => wanted.test(code) : null;
    return pageOfLinks(bench.store.links, { accountId, after, limit, matches }, turn);
  };

  describe('pages of links', () => {
    it('hold the account’s own alone, newest first, without the deleted', async () => {
      await make(['one', 'two', 'three']);
      await bench.store.links.remove(FIRST_ACCOUNT, 'two', NOON);
      const { links, last } = await page(null, 10);
      expect(links.map(({ code }) => code)).toEqual(['three', 'one']);
      expect(last).toBeNull();
      const { id } = await bench.store.accounts.create('another', NOON);
      expect(await page(null, 10, undefined, id)).toEqual({ links: [], last: null });
      expect(await bench.store.links.find(id, 'one')).toBeNull();
    });

    it('have a next one only where there is more', async () => {
      await make(['one', 'two', 'three']);
      expect((await page(null, 3)).last).toBeNull();
      expect((await page(null, 2)).last).toMatchObject({ code: 'two' });
    });

    it('show each link there was once, whatever is made and deleted between them', async () => {
      const changes = fc.array(fc.record({ makes: fc.nat(2), deletes: fc.nat(40) }), { minLength: 1, maxLength: 6 });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 5 }), changes, async (limit, plan) => {
          round += 1;
          const started = Array.from({ length: 12 }, (_, at) => `r${round}-${at}`);
          const mine = new RegExp(`^r${round}-`);
          await make(started);
          const seen: string[] = [];
          const deleted = new Set<string>();
          let after: number | null = null;
          for (let at = 0; ; at += 1) {
            const { links, last } = await page(after, limit, mine);
            for (const { code } of links) {
              expect(deleted.has(code), 'a deleted link is not shown').toBe(false);
              seen.push(code);
            }
            if (!last) break;
            after = last.id;
            const { makes, deletes } = plan[at % plan.length] ?? { makes: 0, deletes: 0 };
            if (makes > 0) await make(Array.from({ length: makes }, (_, more) => `r${round}-new-${at}-${more}`));
            const doomed = started[deletes];
            if (doomed && (await bench.store.links.remove(FIRST_ACCOUNT, doomed, NOON))) deleted.add(doomed);
          }
          const due = started.toReversed().filter((code) => seen.includes(code) || !deleted.has(code));
          expect(seen).toEqual(due);
        }),
        { numRuns: 8 },
      );
    });
  });
}
