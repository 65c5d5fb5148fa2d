import { HEADER, LinkList } from '@terse/contract';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { runImport } from '../../src/import/run-import.ts';
import type { Store } from '../../src/store/open-store.ts';
import type { Import } from '../../src/store/sql/import-queries.ts';
import {
  importFile,
  outcome,
  outcomePage,
  preview,
  problems,
  RULES,
  startImport,
  surveyOf,
} from '../support/imports.ts';
import { serviceForTest, type TestService } from '../support/service.ts';
import { holder, ownerForEach, textOf } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const take = (content: string, visitor = ada, name = 'links.csv') => importFile(visitor, content, name);
const link = (code: string) => terse.store.links.find(1, code);

describe('an import', () => {
  it('keeps click totals, tags and query forwarding, and shows them', async () => {
    const columns = 'shortCode,url,clicks,importedClicks,tags,forwardQuery';
    const csv = `${columns}\nold,https://old.example/,"1,000",24,"a, B",true\n`;
    expect(outcome(await take(csv))).toMatchObject({ 'New links': '1' });
    expect(await link('old')).toMatchObject({ clicks: 0, importedClicks: 1024, tags: ['a', 'B'], forwardQuery: true });
    const html = await ada.page('/links/old');
    expect(textOf(html)).toContain('0 clicks in total, and 1,024 imported.');
    expect(html).toContain('href="/links?tag=B"');
    expect((await terse.visit('/old?x=1')).headers.get('location')).toBe('https://old.example/?x=1');
  });

  it('validates each row by the rules for all links', async () => {
    const html = await take(
      [
        'shortCode,url,title,expiresAt',
        'fine,https://fine.example/,,',
        'script,javascript:alert(1),,',
        'inside,http://192.168.0.1/,,',
        'a b,https://blank.example/,,',
        '.well-known/x,https://reserved.example/,,',
        'fine,https://else.example/,,',
        'when,https://when.example/,,whenever',
        'past,https://past.example/,,2001-01-01T00:00:00Z',
        'late,https://late.example/,,9999-12-31T23:59:59-12:00',
        'early,https://early.example/,,0000-01-01T00:00:00+12:00',
        'short row',
        '',
        '"multi\nline",https://multi.example/,,',
        'last,https://last.example/,,',
      ].join('\n'),
    );
    expect(outcome(html)).toEqual({
      'New links': '3',
      'Already exist': '0',
      'With problems': '10',
      'Rows processed': '13 of 13',
    });
    expect(problems(html).map(([line, subject]) => [line, subject])).toEqual([
      ['3', 'script'],
      ['4', 'inside'],
      ['5', 'a b'],
      ['6', '.well-known/x'],
      ['7', 'fine'],
      ['8', 'when'],
      ['10', 'late'],
      ['11', 'early'],
      ['12', 'short row'],
      ['14', 'multi\nline'],
    ]);
    expect((await terse.visit('/past')).status).toBe(410);
    expect(await link('last')).not.toBeNull();
  });

  it('creates links that the API can return', async () => {
    await take('shortCode,url,expiresAt\nlast,https://last.example/,9999-12-31T23:59:59Z\n');
    const answer = await terse.ask('/api/v1/urls', { headers: { [HEADER.apiKey]: await terse.newKey() } });
    expect(LinkList.parse(await answer.json()).links).toMatchObject([{ expiresAt: '9999-12-31T23:59:59.000Z' }]);
  });

  it('adds only missing links if it is repeated', async () => {
    const file = 'shortCode,url\none,https://one.example/\ntwo,https://two.example/\n';
    await take(file);
    const again = await take(`${file}three,https://three.example/\n`);
    expect(outcome(again)).toEqual({
      'New links': '1',
      'Already exist': '2',
      'With problems': '0',
      'Rows processed': '3 of 3',
    });
  });

  it('says what to do if a short code is taken, and never to delete the other link', async () => {
    const grace = await holder(terse, 'Grace');
    await take('shortCode,url\ntheirs,https://theirs.example/\n', grace);
    await take('shortCode,url\nmine,https://mine.example/\ngone,https://gone.example/\n');
    await ada.post('/selection', { code: 'gone', action: 'delete' });
    const codes = ['mine', 'gone', 'theirs'];
    const html = await take(`shortCode,url\n${codes.map((code) => `${code},https://else.example/\n`).join('')}`);
    expect(problems(html)).toEqual([
      [
        '2',
        'mine',
        'You have another link with this short code. Change the code in the file, or edit that link’s URL.',
      ],
      [
        '3',
        'gone',
        'This short code belonged to a deleted link and cannot be used again. Change the code in the file.',
      ],
      ['4', 'theirs', 'This short code is taken. Change the code in the file.'],
    ]);
    for (const page of ['3', '3/errors.csv']) expect((await grace.get(`/links/import/${page}`)).status).toBe(404);
  });

  it.each([
    ['nothing', ''],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff])],
    ['a broken quote', 'shortCode,url\none,https://one.example/\ntwo,"https://two".example/\n'],
  ])('of %s changes nothing and shows the reason', async (_, content) => {
    const answer = await ada.upload('/links/import', 'links.csv', content);
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toMatch(/id="file-problem">[A-Z][^<]+\.</);
    expect(html).toMatch(/<input [^>]*id="file"[^>]* autofocus>/);
    expect(await terse.store.links.list(1, null, 1)).toEqual([]);
    expect(await terse.store.imports.list(1, 1)).toEqual([]);
  });

  it('escapes the file name and rows', async () => {
    const name = '<img src=x>.csv';
    const html = await take('shortCode,url\n"<script>alert(1)</script>",https://e.example/\n', ada, name);
    expect(html).not.toMatch(/<img src|<script>alert/);
    expect(await ada.page('/links/import')).not.toContain('<img src');
  });

  it('does not split characters when it shortens a row', async () => {
    const html = await take(`url\nnot-a-url${'x'.repeat(110)}\u{1f411}\u{1f411}\n`);
    expect(problems(html)).toHaveLength(1);
    expect(await (await ada.get('/links/import/1/errors.csv')).text()).toMatch(/^line,link,problem\r\n2,not-a-url/);
  });
});

describe('an export', () => {
  it('can be imported, link by link', async () => {
    const formulas = ['=HYPERLINK("https://evil.example")', '+1', '-1+1', '@SUM(A1)', '＝1', '\u200B=1'];
    const hostile = [...formulas, "'quoted'", 'a "b", c', 'Zeile', 'Rates;=1+1'];
    for (const [at, title] of hostile.entries()) {
      await ada.post('/links', {
        url: `https://example.com/?q=${at},"`,
        code: `-c${at}`,
        title,
        expiresAt: '2030-01-01T00:00',
        tags: '=tag, Ä',
      });
    }
    await terse.store.links.edit(1, '-c0', { forwardQuery: true });
    const csv = Buffer.from(await (await ada.get('/links/export.csv')).arrayBuffer()).toString();
    expect(csv).toMatch(/^\uFEFFshortCode,/);
    const rows = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
    expect(rows.map((row) => row.title?.[0])).toEqual([...formulas.map(() => "'"), "'", 'a', 'Z', 'R']);
    expect(rows.at(-1)?.title).toBe("Rates;'=1+1");
    for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);

    const other = await serviceForTest();
    const grace = await holder(other);
    await importFile(grace, csv);
    const plain = async ({ store }: TestService) =>
      (await store.links.list(1, null, 100)).map(({ id: _, forwardQuery, ...link }) => ({
        ...link,
        forwardQuery: forwardQuery ?? false,
      }));
    expect(await plain(other)).toEqual(await plain(terse));
  });

  it('keeps titles and tags that mean “empty” or several tags in other exports', async () => {
    const texts = ['\\N', 'NULL', 'no', '0', 'a|b'];
    for (const text of texts) await ada.post('/links', { url: 'https://example.com/', title: text, tags: text });
    const file = await (await ada.get('/links/export.csv')).text();
    const other = await serviceForTest();
    await importFile(await holder(other), file);
    const imported = await other.store.links.list(1, null, 10, 'oldest');
    expect(imported.map(({ title, tags }) => [title, ...tags])).toEqual(texts.map((text) => [text, text]));
  });

  it('omits deleted links and those of other accounts', async () => {
    await ada.post('/links', { url: 'https://example.com/', code: 'gone' });
    await ada.post('/selection', { code: 'gone', action: 'delete' });
    expect((await (await ada.get('/links/export.csv')).text()).trim().split('\r\n')).toHaveLength(1);
  });
});

/** Begins to import a file, like a process that is stopped or killed before the first row. */
async function beginImport(text: string, dies = false, uploadId = 0): Promise<number> {
  const { file, preview: survey } = await surveyOf(text);
  const begun = (await terse.store.imports.begin({
    accountId: 1,
    uploadId,
    name: 'cut.csv',
    total: survey.total,
    fingerprint: file.fingerprint,
    runner: 'a process that is gone',
    now: terse.clock.now,
  })) as Import;
  const imports: Store['imports'] = { ...terse.store.imports, ...(dies ? { leave: async () => {} } : {}) };
  const services = { store: { ...terse.store, imports }, clock: () => terse.clock.now, rowQuota: null };
  await runImport({ ...services, stopping: AbortSignal.abort() }, begun, { file, rules: RULES });
  return begun.id;
}

describe('an interrupted import', () => {
  it('that was stopped shows this at once, and how to continue', async () => {
    const id = await beginImport('url\nhttps://one.example/\nhttps://two.example/\n');
    expect(textOf(await ada.page(`/links/import/${id}`))).toContain(
      'The import stopped after 0 of 2 rows. Choose the same file again to continue.',
    );
    expect(textOf(await ada.page('/links/import'))).toContain('cut.csv Stopped');
  });

  it('whose process died counts as stopped after some time', async () => {
    const id = await beginImport('url\nhttps://one.example/\n', true);
    const running = await ada.page(`/links/import/${id}`);
    expect(running).toContain('<noscript><meta http-equiv="refresh" content="1"></noscript>');
    expect(textOf(running)).toContain('If the server stops, choose the same file again to continue.');
    terse.clock.now += 60_000;
    const html = await ada.page(`/links/import/${id}`);
    expect(textOf(html)).toContain('The import stopped after 0 of 1 row. Choose the same file again to continue.');
    expect(html).not.toContain('refresh');
    terse.clock.now -= 120_000;
    expect(await ada.page(`/links/import/${id}`)).toBe(html);
  });
});

describe('a file whose import is finished', () => {
  const file = 'url,title\nhttps://one.example/,One\nhttps://two.example/,Two\n';

  it('is imported again, and the preview says what this means', async () => {
    await importFile(ada, file);
    const html = await preview(ada, file);
    expect(textOf(html)).toContain(
      'You already imported this file on 1 Jul 2026, 12:00 UTC . If you import it again, links without a short code become new links.',
    );
    expect(await terse.store.links.list(1, null, 2000)).toHaveLength(2);
    const path = (await startImport(ada, html)).headers.get('location') ?? '';
    expect(outcome(await outcomePage(ada, path))).toMatchObject({ 'New links': '2' });
    expect(await terse.store.links.list(1, null, 2000)).toHaveLength(4);
  });
});

it('a file that another process begins to import at the same time shows its import', async () => {
  const file = 'url\nhttps://one.example/\n';
  const html = await preview(ada, file);
  const { find } = terse.store.uploads;
  terse.store.uploads.find = async (...asked) => {
    const upload = await find(...asked);
    await beginImport(file, false, upload?.id);
    return upload;
  };
  expect((await startImport(ada, html)).headers.get('location')).toBe('/links/import/1');
});

it('only the latest imports are stored', async () => {
  for (let at = 0; at < 22; at += 1) {
    await importFile(ada, `url\nnonsense${at}\n`);
    terse.clock.now += 1;
  }
  await expect
    .poll(async () => (await terse.store.imports.list(1, 100)).map(({ id }) => id))
    .toEqual(Array.from({ length: 20 }, (_, at) => 22 - at));
  expect(await terse.store.imports.errors(2, 0, 1)).toEqual([]);
  expect(await terse.store.imports.errors(3, 0, 1)).toHaveLength(1);
  expect(await ada.page('/links/import')).toContain('/links/import/3"');
});
