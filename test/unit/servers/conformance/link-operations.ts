import { TITLE_LIMIT } from '@terse/contract/link-fields';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type {
  LinkChanges,
  LinkListPage,
  LinkReference,
  ListedLink,
  ServiceResult,
} from '../../../../src/servers/adapter.ts';
import type { Client } from './client.ts';
import type { ConformanceCase } from './conformance.ts';
import { JSON_OF_OTHERS, PAGES } from './hostile-answers.ts';

const URL_B = 'https://example.com/b';
const HOUR = 3_600_000;

/** Tests the operations on existing links. */
export function describeLinkOperations({ pageSize }: ConformanceCase, of: () => Client): void {
  const list = (cursor: string) => of().list(cursor);
  const edit = (link: LinkReference, changes: LinkChanges) => of().edit(link, changes);
  const remove = (link: LinkReference) => of().delete(link);
  const clicks = (link: LinkReference) => of().clicks(link);

  /** Creates a link with all options, and returns it as the list shows it. */
  const listedLink = async (number = 1): Promise<ListedLink> => {
    const { capabilities, context } = of();
    const shortCode = of().codeOf(number);
    const expiresAt = new Date(context.now + 48 * HOUR).toISOString();
    const options = {
      ...of().withCode(number),
      ...(capabilities.title && { title: 'Before' }),
      ...(capabilities.expiry && { expiresAt }),
      ...(capabilities.tags && { tags: ['before', 'both'] }),
    };
    await of().create({ url: URL_B, ...options });
    const { links } = unwrap(await list(''));
    const found = links.find((link) => link.shortCode === shortCode) ?? links[0];
    if (!found) throw new Error('The list does not contain the link.');
    return found;
  };

  describe('the list', () => {
    test('is empty at first', async () => {
      if (!of().capabilities.list) return;
      expect(unwrap(await list(''))).toMatchObject({ links: [], unreadable: 0, nextCursor: null });
    });

    test('contains every link once across all pages', async () => {
      if (!of().capabilities.list) return;
      const count = (pageSize ?? 100) + 1;
      for (let number = 0; number < count; number += 1)
        of().fake.add({ shortCode: `${number}`.padStart(10, 'a'), url: `https://example.com/${number}`, clicks: 3 });
      const codes: string[] = [];
      let pages = 0;
      for (let cursor: string | null = ''; cursor !== null && pages < 5; pages += 1) {
        const page: LinkListPage = unwrap(await list(cursor));
        expect(page.unreadable).toBe(0);
        codes.push(...page.links.map(({ shortCode }) => shortCode));
        for (const { shortUrl } of page.links) expect(shortUrl).toMatch(/^https?:\/\/[^/]+\//);
        if (of().capabilities.clicks !== 'none') expect(page.links[0]?.clicks).toBe(3);
        cursor = page.nextCursor;
      }
      expect(new Set(codes).size).toBe(count);
      expect(codes).toHaveLength(count);
      expect(pages).toBe(2);
    });

    test('has the same times in every time zone of the browser', async () => {
      if (!of().capabilities.list) return;
      const link = await listedLink();
      onTestFinished(() => void vi.unstubAllEnvs());
      vi.stubEnv('TZ', 'Asia/Kolkata');
      const { createdAt, expiresAt } = unwrap(await list('')).links[0] ?? {};
      expect([createdAt, expiresAt]).toEqual([link.createdAt, link.expiresAt]);
    });

    test('shows if links may be missing because another link was deleted meanwhile', async () => {
      const { capabilities, fake } = of();
      if (!capabilities.list) return;
      for (let number = 0; number < (pageSize ?? 100) + 2; number += 1)
        fake.add({ shortCode: `${number}`.padStart(10, 'a'), url: `https://example.com/${number}` });
      const first = unwrap(await list(''));
      const [deleted] = first.links;
      fake.links.splice(
        fake.links.findIndex((link) => link.shortCode === deleted?.shortCode),
        1,
      );
      const second = unwrap(await list(first.nextCursor ?? ''));
      const isShorter = first.total !== undefined && (second.total ?? 0) < first.total;
      const codes = new Set([...first.links, ...second.links].map(({ shortCode }) => shortCode));
      expect(isShorter || fake.links.every(({ shortCode }) => codes.has(shortCode))).toBe(true);
    });

    test('shows the options of a link', async () => {
      const { capabilities, context } = of();
      if (!capabilities.list) return;
      const link = await listedLink();
      expect(link).toMatchObject({ url: URL_B, clicks: 0 });
      if (capabilities.title) expect(link.title).toBe('Before');
      expect(link.tags ?? []).toEqual(capabilities.tags ? ['before', 'both'] : []);
      if (capabilities.expiry) expect(Math.abs((link.expiresAt ?? 0) - context.now - 48 * HOUR)).toBeLessThan(60_000);
    });

    test('shows a link with an unreadable expiry without an expiry', async () => {
      const { capabilities, fake } = of();
      if (!capabilities.list || !capabilities.expiry) return;
      const before = await listedLink();
      expect(before.expiresAt).not.toBeNull();
      const field = /"(expiresAt|expire_in|validUntil|expiration|expiry_time)":("[^"]*"|\d+)/g;
      fake.changeText = (text) =>
        text.replace(
          field,
          (_, name, value) => `"${name}":${value.startsWith('"') ? '"soon"' : Number.MAX_SAFE_INTEGER}`,
        );
      expect(unwrap(await list(''))).toMatchObject({ links: [{ ...before, expiresAt: null }], unreadable: 0 });
    });
  });

  describe('an edit', () => {
    test('changes one field at a time and keeps the others', async () => {
      const { capabilities, context } = of();
      if (!capabilities.edit) return;
      const before = await listedLink();
      const later = context.now + 96 * HOUR;
      const changes: Required<Omit<LinkChanges, 'tags'>> = {
        url: 'https://example.com/after',
        title: 'After',
        expiresAt: new Date(later).toISOString(),
      };
      let expected = { url: before.url, title: before.title };
      for (const field of ['url', 'title', 'expiresAt'] as const) {
        const after = unwrap(await edit(before, { [field]: changes[field] }));
        if (field !== 'expiresAt') expected = { ...expected, [field]: changes[field] };
        expect(after).toMatchObject({ ...expected, shortCode: before.shortCode });
        const expiresAt = field === 'expiresAt' ? later : null;
        if (expiresAt) expect(Math.abs((after.expiresAt ?? 0) - later)).toBeLessThan(60_000);
        else if (capabilities.expiry) expect(after.expiresAt).not.toBeNull();
      }
      // Repeating an edit is not an error.
      expect(await edit(before, { url: changes.url })).toMatchObject({ value: { url: changes.url } });
    });

    test('may have the longest title, which some servers store shortened', async () => {
      const { capabilities } = of();
      if (!capabilities.edit) return;
      const stored = expect.stringMatching(/^x{255,300}$/);
      const title = 'x'.repeat(TITLE_LIMIT);
      expect(await of().create({ url: URL_B, title, ...of().withCode(1) })).toMatchObject({ kind: 'created' });
      const [link] = unwrap(await list('')).links;
      expect(link).toMatchObject({ title: stored });
      expect(unwrap(await edit(link as ListedLink, { title }))).toMatchObject({ title: stored });
    });

    test('replaces the tags, and keeps them if they are not changed', async () => {
      const { capabilities } = of();
      if (!capabilities.edit || !capabilities.tags) return;
      const before = await listedLink();
      expect(unwrap(await edit(before, { tags: ['after', 'both'] })).tags).toEqual(['after', 'both']);
      expect(unwrap(await edit(before, { title: 'After' })).tags).toEqual(['after', 'both']);
      expect(unwrap(await edit(before, { tags: [] })).tags).toEqual([]);
    });

    test('removes the fields that can be removed', async () => {
      const { capabilities } = of();
      if (!capabilities.clear) return;
      for (const [index, field] of (['title', 'expiresAt'] as const).entries()) {
        const link = await listedLink(10 + index);
        expect(unwrap(await edit(link, { [field]: null }))).toMatchObject({ [field]: null, url: link.url });
      }
    });

    test('fails for a link that does not exist', async () => {
      if (!of().capabilities.edit) return;
      const gone = { shortCode: of().codeOf(9), shortUrl: '' };
      expect(await edit(gone, { url: URL_B })).toMatchObject({ problem: 'gone' });
    });
  });

  describe('a deletion', () => {
    test('deletes one link, and may be repeated', async () => {
      if (!of().capabilities.delete) return;
      const { fake } = of();
      const link = await listedLink(1);
      const other = await listedLink(2);
      expect(await remove(link)).toEqual({ value: null });
      expect(fake.links.map(({ shortCode }) => shortCode)).toEqual([other.shortCode]);
      expect(await remove(link)).toEqual({ value: null });
      expect(fake.links).toHaveLength(1);
    });

    test.each(PAGES)(
      'is reported only if the link is gone, if a request is answered with %s',
      async (_name, gateway) => {
        if (!of().capabilities.delete) return;
        const { fake } = of();
        for (const passed of [0, 1]) {
          const link = await listedLink(1 + passed);
          fake.passed = passed;
          // The gateway answers one request.
          fake.gateway = (response, request) => {
            fake.gateway = null;
            return gateway(response, request);
          };
          const result = await remove(link);
          expect(fake.gateway).toBeNull();
          const isListed = fake.links.some(({ shortCode }) => shortCode === link.shortCode);
          if ('value' in result) expect(isListed).toBe(false);
        }
      },
    );
  });

  test('the clicks of a link are read', async () => {
    if (of().capabilities.clicks !== 'details') return;
    const link = await listedLink();
    expect(await clicks(link)).toMatchObject({ value: { clicks: 0, series: expect.any(Array) } });
  });

  test('a wrong key is reported by the list and by a deletion', async () => {
    const { capabilities } = of();
    const wrong = of().withKey('wrong-0123456789abcdef');
    const link = { shortCode: of().codeOf(1), shortUrl: '' };
    const refused = { problem: expect.stringMatching(/unauthorized|forbidden/) };
    if (capabilities.list) expect(await wrong.list('')).toMatchObject(refused);
    if (capabilities.delete) expect(await wrong.delete(link)).toMatchObject(refused);
  });

  test.each([...PAGES, ...JSON_OF_OTHERS])(
    'every operation reports a problem if the answer is %s',
    async (_name, gateway) => {
      const { capabilities, fake } = of();
      const link = { shortCode: of().codeOf(1), shortUrl: '' };
      fake.gateway = gateway;
      if (capabilities.list) expect(await list('')).toHaveProperty('problem');
      if (capabilities.edit) expect(await edit(link, { url: URL_B })).toHaveProperty('problem');
      if (capabilities.delete) expect(await remove(link)).toHaveProperty('problem');
      if (capabilities.clicks === 'details') expect(await clicks(link)).toHaveProperty('problem');
    },
  );
}

function unwrap<T>(result: ServiceResult<T>): T {
  if ('problem' in result) throw new Error(`The operation failed: ${result.problem} ${result.message}`);
  return result.value;
}
