import { beforeEach, describe, expect, it } from 'vitest';
import { importFile, outcome, preview, problems } from '../support/imports.ts';
import type { TestService } from '../support/service.ts';
import { serviceForTest } from '../support/service.ts';
import { NOON } from '../support/store.ts';
import { holder, textOf, type Visitor } from '../support/visitor.ts';

let terse: TestService;
let ada: Visitor;
async function start(settings: Record<string, string> = {}): Promise<void> {
  terse = await serviceForTest(settings);
  ada = await holder(terse);
}
beforeEach(() => start());

const link = (code: string) => terse.store.links.find(1, code);
const created = async (code: string) => new Date((await link(code))?.createdAt ?? 0).toISOString().slice(0, 10);
describe('creation dates', () => {
  const file = (...dates: string[]) =>
    `shortCode,url,createdAt\n${dates.map((date, at) => `row${at},https://example.com/${at},${date}\n`).join('')}`;

  it('that cannot be read become the current date, as the preview says', async () => {
    const lines = file('4/5/2021', '04.06.2021', 'yesterday', '2099-01-01', '2021-04-15', '', '13/13/2021');
    expect(textOf(await preview(ada, lines))).toContain('5 creation dates cannot be read');
    await importFile(ada, lines);
    const now = new Date(NOON).toISOString().slice(0, 10);
    expect(await Promise.all(['row0', 'row1', 'row2', 'row3', 'row4'].map(created))).toEqual([
      ...[now, now, now, now],
      '2021-04-15',
    ]);
  });
});

it('a link whose start date cannot be read is refused, because it could be secret', async () => {
  const html = await importFile(ada, 'shortCode,url,validSince\nsoon,https://example.com/,next spring\n');
  expect(problems(html)).toEqual([['2', 'soon', expect.stringContaining('start date of this link cannot be read')]]);
});

describe('a short code that occurs twice in a file', () => {
  const figures = (html: string) =>
    /Links (\d+) Can be imported (\d+) With problems (\d+)/.exec(textOf(html))?.slice(1);

  it('is counted once in the preview, as in the import', async () => {
    const file = 'shortCode,url\ndocs,https://one.example/\ndocs,https://two.example/\nDocs,https://three.example/\n';
    expect(figures(await preview(ada, file))).toEqual(['3', '2', '1']);
    expect(outcome(await importFile(ada, file))).toMatchObject({ 'New links': '2', 'With problems': '1' });
  });

  it('in another case counts as the same on a server that ignores case', async () => {
    await start({ TERSE_CASE_INSENSITIVE_CODES: 'true' });
    const file = 'shortCode,url\ndocs,https://one.example/\nDocs,https://two.example/\n';
    const html = await preview(ada, file);
    expect(figures(html)).toEqual(['2', '1', '1']);
    expect(textOf(html)).toContain('An earlier link in this file has the same short code.');
    expect(outcome(await importFile(ada, file))).toMatchObject({ 'New links': '1', 'With problems': '1' });
    expect(await link('docs')).toMatchObject({ url: 'https://one.example/' });
  });

  it('on different domains of the file counts as the same, because both links move to this server', async () => {
    const file =
      'shortUrl,url\nhttps://a.example/docs,https://one.example/\nhttps://b.example/docs,https://two.example/\n';
    expect(figures(await preview(ada, file))).toEqual(['2', '1', '1']);
    expect(outcome(await importFile(ada, file))).toMatchObject({ 'New links': '1', 'With problems': '1' });
  });

  it('on different domains of the server is not a repetition', async () => {
    await start({ TERSE_SHORT_BASE_URL: 'https://a.example,https://b.example' });
    const file =
      'shortUrl,url\nhttps://a.example/docs,https://one.example/\nhttps://b.example/docs,https://two.example/\n';
    expect(figures(await preview(ada, file))).toEqual(['2', '2', '0']);
    expect(outcome(await importFile(ada, file))).toMatchObject({ 'New links': '2', 'With problems': '0' });
  });
});

describe('a link that leads to another short URL', () => {
  it('of this server is refused', async () => {
    const html = await importFile(ada, `shortCode,url\nalias,${terse.service.addresses.shortBaseUrl}/target\n`);
    expect(problems(html)).toEqual([['2', 'alias', expect.stringContaining('the address is its own')]]);
  });

  it('of its old domain is imported unchanged', async () => {
    const file =
      'shortUrl,url\nhttps://old.example/alias,https://old.example/target\nhttps://old.example/other,https://x.example/\n';
    await importFile(ada, file);
    expect(await link('alias')).toMatchObject({ url: 'https://old.example/target' });
  });
});
