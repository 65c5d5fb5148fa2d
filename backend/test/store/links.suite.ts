import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import { pageOfLinks } from '../../src/store/search-and-paginate-links.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { LinkOrder, LinkPosition } from '../../src/store/sql/link-rows.ts';
import { addAndCount, click, clicksOn } from '../support/clicks.ts';
import { codesOf, link, linksOf, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const pause = async () => {};

export function linksSuite(bench: Bench): void {
  const make = async (...codes: string[]) =>
    bench.store.createRequests.submit(submission(await makeKey(bench.store), { links: [link(codes)] }));

  describe('links', () => {
    it('resolve to exactly the URL that was stored', async () => {
      const url = 'https://example.com/%F0%9F%90%91?q=1&q=%27#frag';
      const links = [link(['sheep'], { url, title: 'Ein "Schaf" 🐑 <b>', expiresAt: NOON + 1 })];
      const outcome = await bench.store.createRequests.submit(submission(await makeKey(bench.store), { links }));
      expect(await targetOf(bench.store, 'sheep')).toEqual({
        id: expect.any(Number),
        url,
        expiresAt: NOON + 1,
        deletedAt: null,
        forwardQuery: null,
      });
      const shown = { code: 'sheep', url, title: 'Ein "Schaf" 🐑 <b>', createdAt: NOON, expiresAt: NOON + 1 };
      expect(linksOf(outcome)).toMatchObject([shown]);
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'sheep')).toMatchObject(shown);
    });

    it('get the first free code', async () => {
      await make('one');
      expect(codesOf(await make('one', 'two', 'three'))).toEqual(['two']);
      expect(codesOf(await make('one', 'two'))).toEqual([null]);
    });

    it('with the same code are created once, even at the same time', async () => {
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => make('wanted')));
      const codes = outcomes.flatMap(codesOf);
      expect(codes.toSorted()).toEqual(['wanted', ...Array(39).fill(null)].toSorted());
    });

    it('are deleted once, by their own account, and keep their code forever', async () => {
      await make('gone');
      expect(await bench.store.links.remove(FIRST_ACCOUNT + 1, ['gone'], NOON)).toEqual([]);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, ['gone'], NOON + 9)).toEqual(['gone']);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, ['gone'], NOON + 10)).toEqual([]);
      expect(await targetOf(bench.store, 'gone')).toMatchObject({ deletedAt: NOON + 9 });
      expect(codesOf(await make('gone'))).toEqual([null]);
    });
  });

  const create = (...codes: string[]) => bench.store.links.create(FIRST_ACCOUNT, link(codes), NOON);
  const codes = async (order: LinkOrder, after: LinkPosition | null = null, most = 10) =>
    (await bench.store.links.list(FIRST_ACCOUNT, after, most, order)).map(({ code }) => code);

  async function clickTimes(linkId: number, clicks: number): Promise<void> {
    await addAndCount(bench.store, clicksOn(linkId, dayOf(NOON), 12, clicks));
  }

  describe('links created in the dashboard', () => {
    it('count against the daily quota only if the transaction that creates them succeeds', async () => {
      const { links, quotas } = bench.store;
      const left = async () => (await quotas.left(FIRST_ACCOUNT, 'links', 2)).left;
      const form = { submission: null, quota: 2, now: NOON };
      const impossible = { ...link(['one']), url: null as never };
      await expect(links.createFromForm(FIRST_ACCOUNT, impossible, form)).rejects.toThrow();
      expect(await left()).toBe(2);
      for (const code of ['one', 'two'])
        expect(await links.createFromForm(FIRST_ACCOUNT, link([code]), form)).toMatchObject({ code });
      const refused = await links.createFromForm(FIRST_ACCOUNT, link(['three']), form);
      expect(refused).toMatchObject({ code: null, spent: { granted: 0, left: 0 } });
      expect(await targetOf(bench.store, 'three')).toBeNull();
      const unlimited = { ...form, quota: null };
      expect(await links.createFromForm(FIRST_ACCOUNT, link(['three']), unlimited)).toMatchObject({ spent: null });
    });

    it('exist once for each form, even if it is submitted several times at the same time', async () => {
      const { links, quotas, accounts } = bench.store;
      const form = (byte: number, quota = 3) => ({ submission: new Uint8Array(32).fill(byte), quota, now: NOON });
      const drafts = ['one', 'two', 'three', 'four'].map((code) => link([code]));
      const made = await Promise.all(drafts.map((draft) => links.createFromForm(FIRST_ACCOUNT, draft, form(1))));
      expect(new Set(made.map(({ code }) => code)).size).toBe(1);
      expect(await codes('newest')).toEqual([made[0]?.code]);
      expect(await quotas.left(FIRST_ACCOUNT, 'links', 3)).toMatchObject({ left: 2 });

      const other = await accounts.create('other', NOON);
      expect(await links.createFromForm(other.id, link(['theirs']), form(1))).toMatchObject({ code: 'theirs' });
      // A form that created nothing can be submitted again.
      expect(await links.createFromForm(FIRST_ACCOUNT, link(['theirs']), form(2))).toMatchObject({ code: null });
      expect(await links.createFromForm(FIRST_ACCOUNT, link(['free']), form(2))).toMatchObject({ code: 'free' });
      await accounts.forget(NOON, NOON);
      expect(await links.createFromForm(FIRST_ACCOUNT, link(['late']), form(2, 9))).toMatchObject({ code: 'late' });
    });

    it('keep both changes if two requests edit a link at the same time', async () => {
      await create('both');
      const { links } = bench.store;
      const url = 'https://example.com/both';
      await Promise.all([
        links.edit(FIRST_ACCOUNT, 'both', { title: 'Both' }),
        links.edit(FIRST_ACCOUNT, 'both', { url }),
        links.edit(FIRST_ACCOUNT, 'both', { expiresAt: NOON + 5 }),
      ]);
      expect(await links.find(FIRST_ACCOUNT, 'both')).toMatchObject({ title: 'Both', url, expiresAt: NOON + 5 });
    });

    it('cannot be restored after the operator removed them, even if their user had deleted them before', async () => {
      const { links } = bench.store;
      await create('dodged');
      await create('standing');
      await links.remove(FIRST_ACCOUNT, ['dodged'], NOON, NOON + 5);
      for (const code of ['dodged', 'standing', 'dodged']) expect(await links.takeDown(code, NOON + 1)).toBe(true);
      expect(await links.takeDown('nobodys', NOON + 1)).toBe(false);
      for (const deletedAt of [NOON, NOON + 1]) {
        expect(await links.restoreAll(FIRST_ACCOUNT, { deletedAt, now: NOON + 2 }, 9)).toEqual([]);
      }
      expect(await targetOf(bench.store, 'dodged')).toMatchObject({ deletedAt: NOON });
      expect(await targetOf(bench.store, 'standing')).toMatchObject({ deletedAt: NOON + 1 });
    });

    it('are sorted by clicks again after their deletion is undone', async () => {
      const { links } = bench.store;
      const { id } = (await create('loved')) as StoredLink;
      await create('other');
      await clickTimes(id, 3);
      await links.remove(FIRST_ACCOUNT, ['loved'], NOON, NOON + 5);
      expect(await codes('clicks')).toEqual(['other']);
      await links.restoreAll(FIRST_ACCOUNT, { deletedAt: NOON, now: NOON }, 9);
      expect(await codes('clicks')).toEqual(['loved', 'other']);
    });
  });

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
