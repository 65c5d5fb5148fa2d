import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNDO_TIME_MS } from '../../src/domain/links/link-rules.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link } from '../support/store.ts';
import { holder, textOf, type Visitor } from '../support/visitor.ts';

let terse: TestService;
let ada: Visitor;
beforeEach(async () => {
  terse = await startTestService();
  ada = await holder(terse);
});
afterEach(() => terse.stop());

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
async function confirm(answer: Response): Promise<string> {
  const deleted = await send('/selection/delete', hiddenIn(await answer.text()));
  expect(deleted.status).toBe(303);
  return ada.page(deleted.headers.get('location') ?? '');
}
const statuses = async (...codes: string[]) =>
  Promise.all(codes.map(async (code) => (await terse.visit(`/${code}`)).status));

describe('selected links', () => {
  it('can be a full page of the longest codes', async () => {
    const codes = Array.from({ length: 50 }, (_, at) => `${'短'.repeat(253)}${String(at).padStart(2, '0')}`);
    await make(codes);
    const asked = await select(codes, 'delete');
    expect(textOf(await asked.text())).toContain('Delete 50 links?');
  });

  it('are deleted together after one confirmation, and restored together', async () => {
    await make(['one', 'two', 'three']);
    expect(await statuses('one', 'two', 'three')).toEqual([302, 302, 302]);
    const asked = await select(['one', 'three'], 'delete');
    expect(asked.status).toBe(200);
    const question = textOf(await asked.clone().text());
    expect(question).toContain(
      'Delete 2 links? Their short URLs stop working immediately. You can undo this for a day.',
    );
    expect(question).toMatch(
      /https:\/\/example\.com\/three \S+ \/ three 0 clicks .*https:\/\/example\.com\/one \S+ \/ one 0 clicks/,
    );
    expect(await statuses('one', 'two', 'three')).toEqual([302, 302, 302]);

    const page = await confirm(asked);
    expect(textOf(page)).toContain(
      '2 links were deleted. Their short URLs no longer work. You can undo this on this page',
    );
    expect(await statuses('one', 'two', 'three')).toEqual([410, 302, 410]);
    const undone = await send(
      '/selection/restore',
      hiddenIn(page.split('/selection/restore')[1]?.split('</form>')[0] ?? ''),
    );
    expect(textOf(await ada.page(undone.headers.get('location') ?? ''))).toContain('2 links were restored.');
    expect(await statuses('one', 'two', 'three')).toEqual([302, 302, 302]);
    const { links } = terse.store;
    const listed = await links.list(FIRST_ACCOUNT, null, 9, 'clicks');
    expect(listed.map(({ code }) => code)).toEqual(['three', 'two', 'one']);
  });

  it('can be restored for a day, without links deleted at another time', async () => {
    await make(['early', 'late']);
    await ada.post('/links/early/delete');
    terse.clock.now += 1000;
    const page = await confirm(await select(['early', 'late'], 'delete'));
    expect(textOf(page)).toContain('1 link was deleted. Its short URL no longer works.');
    const fields = hiddenIn(page.split('/selection/restore')[1]?.split('</form>')[0] ?? '');
    terse.clock.now += UNDO_TIME_MS;
    expect((await send('/selection/restore', fields)).status).toBe(303);
    expect(await statuses('early', 'late')).toEqual([410, 302]);
    const again = await send('/selection/restore', fields);
    expect([again.status, textOf(await again.text())]).toEqual([
      410,
      expect.stringContaining('Either this was already undone, or it is too late.'),
    ]);
  });

  it('cannot be restored later, and undo is not offered', async () => {
    await make(['old']);
    const page = await confirm(await select(['old'], 'delete'));
    const fields = hiddenIn(page.split('/selection/restore')[1]?.split('</form>')[0] ?? '');
    const deletedAt = fields.find(([name]) => name === 'deletedAt')?.[1] ?? '';
    terse.clock.now += UNDO_TIME_MS + 1;
    expect((await send('/selection/restore', fields)).status).toBe(410);
    expect(await ada.page(`/links?deletedAt=${deletedAt}`)).not.toContain('/selection/restore');
    expect(await statuses('old')).toEqual([410]);
  });

  it('are exported as CSV and JSON without other links', async () => {
    await make(['one', 'two', 'three'], { title: '=1+1' });
    const csv = await select(['two', 'one', 'nobodys', '../x'], 'csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="terse-links-2026-07-01.csv"');
    const lines = (await csv.text()).trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['shortCode', 'two', 'one']);
    expect(lines[1]).toContain(",'=1+1,");
    const json = await select(['three'], 'json');
    expect(await json.json()).toMatchObject([{ shortCode: 'three', url: 'https://example.com/three' }]);
  });

  it('are required: an empty or unknown selection is refused', async () => {
    await make(['one']);
    const answer = await select([], 'delete', [['list', '/links?search=o']]);
    expect(answer.headers.get('location')).toBe('/links?search=o&ticked=none');
    expect(textOf(await ada.page('/links?search=o&ticked=none'))).toContain('Select at least one link first.');
    expect((await select(['nothing'], 'delete')).status).toBe(404);
    expect((await send('/selection/delete', [['code', 'nothing']])).status).toBe(404);
  });

  it('are on one page, and searches of the account do not limit them', async () => {
    await make(['one', 'two']);
    for (let asked = 0; asked < 4; asked += 1) expect((await ada.get('/links?search=one')).status).toBe(200);
    const refused = await ada.get('/links?search=one');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(textOf(await refused.text())).toContain('Too many searches');
    expect((await ada.get('/links')).status).toBe(200);
    expect((await select(['one'], 'csv')).status).toBe(200);
    expect((await (await holder(terse, 'Grace')).get('/links?search=one')).status).toBe(200);
    terse.clock.now += 500;
    expect((await ada.get('/links?search=one')).status).toBe(200);
    expect((await select([], 'delete', [['scope', 'found']])).headers.get('location')).toBe('/links?ticked=none');
    expect(await ada.page('/links')).not.toContain('name="scope"');
  });

  it('are check boxes of one form, which one button selects together', async () => {
    await make(['one', 'two']);
    const boxes = (html: string) =>
      [...html.matchAll(/<input type="checkbox" form="selection"[^>]*>/g)].map(([box]) => box);
    expect(boxes(await ada.page('/links')).filter((box) => box.includes('checked'))).toEqual([]);
    const html = await ada.page('/links?ticked=page');
    expect(boxes(html).filter((box) => box.includes('checked'))).toHaveLength(2);
    expect(html).toContain('<form class="selection" id="selection" method="post" action="/selection"');
  });

  it('can have codes that equal page names', async () => {
    await make(['restore', 'delete', 'team/plan']);
    await confirm(await select(['restore', 'delete', 'team/plan'], 'delete'));
    expect(await statuses('restore', 'delete', 'team/plan')).toEqual([410, 410, 410]);
  });
});

describe('links of other accounts', () => {
  it('are neither exported, nor deleted, nor restored', async () => {
    const grace = await holder(terse, 'Grace');
    const { accountId } = (await terse.store.accounts.credentials('grace')) ?? { accountId: 0 };
    await make(['adas']);
    await make(['graces'], {}, accountId);
    expect((await (await select(['adas', 'graces'], 'csv')).text()).match(/^\w+/gm)).toEqual(['shortCode', 'adas']);
    const asked = await select(['adas', 'graces'], 'delete');
    await confirm(asked);
    expect(await statuses('adas', 'graces')).toEqual([410, 302]);
    const undo = { deletedAt: String(terse.clock.now) };
    expect((await grace.post('/selection/restore', undo)).status).toBe(410);
    expect(await grace.page(`/links?deletedAt=${undo.deletedAt}`)).not.toContain('/selection/restore');
    expect(await statuses('adas')).toEqual([410]);
  });
});

it('titles of links to delete are escaped', async () => {
  await make(['evil'], { title: '"><script>alert(1)</script>' });
  const html = await (await select(['evil'], 'delete', [['list', '/links?search="><script>alert(2)</script>']])).text();
  expect(html).not.toMatch(/<script>alert/);
});
