import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, type WaitingClick } from '../../src/domain/analytics/day-counts.ts';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import { pageOfLinks } from '../../src/store/search-and-paginate-links.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { LinkOrder, LinkPosition } from '../../src/store/sql/link-rows.ts';
import { addAndCount, click, clicksOn } from '../support/clicks.ts';
import { codesOf, link, linksOf, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

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
      await accounts.forget(NOON + 7 * 86_400_000);
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

  it.each(['newest', 'oldest', 'clicks'] as const)(
    'pages of links in the order %s contain each link once, even if links are deleted and created meanwhile',
    async (order) => {
      const { links: store, accounts } = bench.store;
      let round = 0;
      const draft = fc.record({ age: fc.nat(3), clicks: fc.nat(3), deleted: fc.boolean() });
      const drafts = fc.array(draft, { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(drafts, fc.integer({ min: 1, max: 5 }), async (drawn, limit) => {
          round += 1;
          const { id: accountId } = await accounts.create(`round ${round}`, NOON);
          const made = drawn.map((one, at) => ({ ...one, at, code: `a${round}-${at}` }));
          // The clicks arrive in two batches, so that some links get clicks twice.
          const batches: WaitingClick[][] = [[], []];
          for (const { age, clicks, code } of made) {
            const { id } = (await store.create(accountId, link([code]), NOON - age)) as StoredLink;
            batches[0]?.push(...clicksOn(id, dayOf(NOON), 12, Math.min(clicks, 1)), click(id, { bot: true }));
            batches[1]?.push(...clicksOn(id, dayOf(NOON), 12, Math.max(clicks - 1, 0)));
          }
          for (const batch of batches) await addAndCount(bench.store, batch);
          const doomed = made.filter(({ deleted }) => deleted).map(({ code }) => code);
          if (order === 'clicks') await store.remove(accountId, doomed, NOON);
          const seen: { code: string; clicks: number }[] = [];
          for (let after: LinkPosition | null = null; ; ) {
            const query = { accountId, after, limit, order, matches: null };
            const { links, last } = await pageOfLinks(store, query);
            seen.push(...links.map(({ code, clicks }) => ({ code, clicks })));
            if (!last) break;
            after = last;
            if (order === 'clicks') continue;
            // The next page continues after a link that may no longer exist. The new link belongs to no later page.
            await store.remove(accountId, doomed, NOON);
            await store.create(accountId, link([`b${round}-${seen.length}`]), order === 'oldest' ? 0 : NOON + 1);
          }
          const due = made.toSorted((one, two) =>
            order === 'clicks' ? two.clicks - one.clicks || two.at - one.at : one.age - two.age || two.at - one.at,
          );
          if (order === 'oldest') due.reverse();
          const isSeen = (code: string) => seen.some((one) => one.code === code);
          const expected = due.filter(({ code }) => isSeen(code) || !doomed.includes(code));
          expect(seen).toEqual(expected.map(({ code, clicks }) => ({ code, clicks })));
        }),
        { numRuns: 10 },
      );
    },
  );
}
