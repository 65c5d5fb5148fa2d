import { describe, expect, it } from 'vitest';
import { UNDO_TIME_MS } from '../../src/domain/links/link-rules.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { link } from '../support/store.ts';
import { holder, ownerForEach, textOf } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

async function make(codes: string[], more = {}, account = FIRST_ACCOUNT): Promise<void> {
  for (const code of codes) {
    await terse.store.links.create(
      account,
      link([code], { url: `https://example.com/${code}`, ...more }),
      terse.clock.now,
    );
  }
}
/** Submits a form in which a field can occur several times. */
const send = (path: string, fields: [string, string][]) => ada.post(path, fields as unknown as Record<string, string>);
const select = (codes: string[], action: string, more: [string, string][] = []) =>
  send('/selection', [...codes.map((code): [string, string] => ['code', code]), ['action', action], ...more]);
/** Returns the hidden fields of a form. */
const hiddenIn = (html: string): [string, string][] =>
  [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&quot;', '"'),
  ]);
/** Deletes links, and returns the page that opens afterwards. */
async function remove(codes: string[]): Promise<string> {
  const deleted = await select(codes, 'delete');
  expect(deleted.status).toBe(303);
  return ada.page(deleted.headers.get('location') ?? '');
}
/** Presses Undo on a page, and returns the page that opens afterwards. */
async function undo(html: string): Promise<string> {
  const restored = await send('/selection/restore', undoFields(html));
  return ada.page(restored.headers.get('location') ?? '');
}
const undoFields = (html: string) => hiddenIn(html.split('/selection/restore')[1]?.split('</form>')[0] ?? '');
const NOTHING_RESTORED = 'Nothing was restored. Either this was already undone, or it is too late.';
const statuses = async (...codes: string[]) =>
  Promise.all(codes.map(async (code) => (await terse.visit(`/${code}`)).status));

describe('selected links', () => {
  it('can be a full page of the longest codes', async () => {
    const codes = Array.from({ length: 50 }, (_, at) => `${'短'.repeat(253)}${String(at).padStart(2, '0')}`);
    await make(codes);
    expect(textOf(await remove(codes))).toContain('50 links were deleted.');
  });

  it('are deleted together, and restored together', async () => {
    await make(['one', 'two', 'three']);
    expect(await statuses('one', 'two', 'three')).toEqual([302, 302, 302]);
    const page = await remove(['one', 'three']);
    expect(textOf(page)).toContain(
      '2 links were deleted. Their short URLs no longer work. You can undo this on this page',
    );
    expect(await statuses('one', 'two', 'three')).toEqual([410, 302, 410]);
    expect(textOf(await undo(page))).toContain('2 links were restored.');
    expect(await statuses('one', 'two', 'three')).toEqual([302, 302, 302]);
    const listed = await terse.store.links.list(FIRST_ACCOUNT, null, 9, 'clicks');
    expect(listed.map(({ code }) => code)).toEqual(['three', 'two', 'one']);
  });

  it('are deleted once if the form is sent twice, and the second response also offers to undo it', async () => {
    await make(['one']);
    await remove(['one']);
    terse.clock.now += 1000;
    expect(textOf(await undo(await remove(['one'])))).toContain('1 link was restored.');
  });

  it('can be restored for a day, without links deleted at another time', async () => {
    await make(['early', 'late']);
    await remove(['early']);
    terse.clock.now += 1000;
    const page = await remove(['early', 'late']);
    expect(textOf(page)).toContain('1 link was deleted. Its short URL no longer works.');
    terse.clock.now += UNDO_TIME_MS;
    expect(textOf(await undo(page))).toContain('1 link was restored.');
    expect(await statuses('early', 'late')).toEqual([410, 302]);
    expect(textOf(await undo(page))).toContain(NOTHING_RESTORED);
  });

  it('cannot be restored later, and undo is not offered', async () => {
    await make(['old']);
    const page = await remove(['old']);
    const deletedAt = undoFields(page).find(([name]) => name === 'deletedAt')?.[1] ?? '';
    terse.clock.now += UNDO_TIME_MS + 1;
    expect(textOf(await undo(page))).toContain(NOTHING_RESTORED);
    expect(await ada.page(`/links?deletedAt=${deletedAt}`)).not.toContain('/selection/restore');
    expect(await statuses('old')).toEqual([410]);
  });

  it('cannot be restored if they were deleted through the API', async () => {
    await make(['final']);
    const headers = { Authorization: `Bearer ${await terse.newKey()}` };
    expect((await terse.ask('/api/v1/urls/final', { method: 'DELETE', headers })).status).toBe(204);
    const answer = await ada.post('/selection/restore', {
      deletedAt: String(terse.clock.now),
      list: '/links?search=f',
    });
    expect(answer.headers.get('location')).toBe('/links?search=f&restored=0');
    expect(await statuses('final')).toEqual([410]);
  });

  it('are required: an empty or unknown selection changes nothing', async () => {
    await make(['one']);
    const answer = await select([], 'delete', [['list', '/links?search=o']]);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/links?search=o']);
    expect((await select(['nothing'], 'delete')).status).toBe(404);
    expect((await select(['one'], '')).status).toBe(400);
    expect(await statuses('one')).toEqual([302]);
  });

  it('are on one page, and searches of the account do not limit them', async () => {
    await make(['one', 'two']);
    for (const filter of ['search=one', 'search=two', 'tag=news', 'domain=go.example']) {
      expect((await ada.get(`/links?${filter}`)).status).toBe(200);
    }
    const refused = await ada.get('/links?search=one');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(textOf(await refused.text())).toContain('Too many searches');
    expect((await ada.get('/links')).status).toBe(200);
    expect((await (await holder(terse, 'Grace')).get('/links?search=one')).status).toBe(200);
    terse.clock.now += 500;
    expect((await ada.get('/links?search=one')).status).toBe(200);
  });

  it('are check boxes of one form', async () => {
    await make(['one', 'two']);
    const html = await ada.page('/links');
    expect(html.match(/<input type="checkbox" form="selection"[^>]*>/g)).toHaveLength(2);
    expect(html).toMatch(/<form [^>]*id="selection" method="post" action="\/selection"/);
  });
});

it('links of other accounts are neither deleted nor restored', async () => {
  const grace = await holder(terse, 'Grace');
  const { accountId } = (await terse.store.accounts.credentials('grace')) ?? { accountId: 0 };
  await make(['adas']);
  await make(['graces'], {}, accountId);
  await remove(['adas', 'graces']);
  expect(await statuses('adas', 'graces')).toEqual([410, 302]);
  const deletedAt = String(terse.clock.now);
  const answer = await grace.post('/selection/restore', { deletedAt });
  expect(answer.headers.get('location')).toBe('/links?restored=0');
  expect(await grace.page(`/links?deletedAt=${deletedAt}`)).not.toContain('/selection/restore');
  expect(await statuses('adas')).toEqual([410]);
});
