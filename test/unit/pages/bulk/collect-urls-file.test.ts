import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../../../src/import-export/import-limits.ts';
import { foundInHtml, foundInText, readFile, readTransfer } from '../../../../src/pages/bulk/collect-urls.ts';

// @vitest-environment happy-dom

const file = (name: string, content: BlobPart, type = '') => new File([content], name, { type });
const addresses = (found: Awaited<ReturnType<typeof readFile>>) =>
  typeof found === 'string' ? found : found.map(({ text }) => text);

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><A HREF="https://a.example/?x=1&amp;y=2" ADD_DATE="1">A &amp; B</A>
<DT><A HREF="javascript:alert(1)">A bookmarklet</A><a href="#top">Top</a><a>Nothing</a></DL>`;

test('HTML is read as its links with their texts, except links within the page', () => {
  expect(foundInHtml(BOOKMARKS)).toEqual([
    { text: 'https://a.example/?x=1&y=2', title: 'A & B' },
    { text: 'javascript:alert(1)', title: 'A bookmarklet' },
  ]);
});

const PAGE = `<a href="/index.html">Index</a><a href="page.php?x=1">Page</a>
<a href="//b.example/c">Other host</a><a href="mailto:a@b.example">Mail</a>`;

test('relative links in HTML are resolved against the base URL', () => {
  const texts = foundInHtml(`<base href="https://a.example/docs/">${PAGE}`).map(({ text }) => text);
  expect(texts).toEqual([
    'https://a.example/index.html',
    'https://a.example/docs/page.php?x=1',
    'https://b.example/c',
    'mailto:a@b.example',
  ]);
});

test.each(['', '<base href="/docs/">', '<base target="_blank">', '<base href="file:///home/ada/">'])(
  'relative links in HTML without a web base URL are left out: %s',
  (base) => {
    expect(foundInHtml(base + PAGE)).toEqual([
      { text: 'https://b.example/c', title: 'Other host' },
      { text: 'mailto:a@b.example', title: 'Mail' },
    ]);
  },
);

test('CSV is read as its column of long URLs, whatever its name and separator', async () => {
  expect(foundInText('Short link;Long URL;Title\r\ns.example/1;"https://a.example/;b";"A ""quoted"" one"\r\n')).toEqual(
    [{ text: 'https://a.example/;b', title: 'A "quoted" one' }],
  );
  expect(foundInText('name,url\nNo address here,\nTwo,https://b.example/')).toEqual([
    { text: 'No address here', title: 'No address here' },
    { text: 'https://b.example/', title: 'Two' },
  ]);
});

test.each([
  'UNPROVEN-bitly-csv-variant-a.csv',
  'UNPROVEN-bitly-csv-variant-b.csv',
  'UNPROVEN-bitly-csv-variant-c.csv',
  'dub-export-default-columns.csv',
  'rebrandly-links-export-cli.csv',
  'shlink-importer-standard-comma.csv',
  'shlink-importer-standard-semicolon.csv',
  'shlink-web-client-short_urls.csv',
])('a CSV file of another service is read as its long URLs: %s', (name) => {
  const found = foundInText(readFileSync(`backend/test/fixtures/imports/${name}`, 'utf8'));
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter(({ text }) => !/^https?:\/\/(\w+\.)*example\.com\//.test(text))).toEqual([]);
});

const EXCEL =
  'sep=;\r\nShort URL;Long URL;Title\r\nhttps://s.example/1;https://a.example/;One\r\nhttps://s.example/2;"https://b.example/;x";"Two; three"\r\n';

test.each([
  ['a file', async () => readFile(file('links.csv', EXCEL))],
  ['a UTF-16 file', async () => readFile(file('links.csv', Buffer.from(`\uFEFF${EXCEL}`, 'utf16le')))],
  ['a text file', async () => readFile(file('links.txt', EXCEL))],
  ['pasted text', async () => foundInText(EXCEL)],
  ['pasted cells', async () => foundInText(EXCEL.replace(/^.*\r\n/, '').replace(/;(?!x| )/g, '\t'))],
])('%s from a spreadsheet gives its long URLs and titles, not its short URLs', async (_what, read) => {
  expect(await read()).toEqual([
    { text: 'https://a.example/', title: 'One' },
    { text: 'https://b.example/;x', title: 'Two; three' },
  ]);
});

test('pasted rows without column names give their URLs', () => {
  const found = foundInText('https://a.example/x,Title here\nhttps://b.example/y;"Second, page"');
  expect(found.map(({ text }) => text)).toEqual(['https://a.example/x', 'https://b.example/y']);
});

test('a table with a wrong quotation mark loses no URL', () => {
  const found = foundInText('url,title\nhttps://a.example/,"One\nhttps://b.example/,Two');
  expect(found.map(({ text }) => text)).toEqual(expect.arrayContaining(['https://a.example/', 'https://b.example/']));
});

test("CSV without column names is read as all URLs, or a row's text", async () => {
  expect(foundInText('One,https://a.example/,https://b.example/\nTwo,words\n')).toEqual([
    { text: 'https://a.example/', title: '' },
    { text: 'https://b.example/', title: '' },
    { text: 'Two,words', title: '' },
  ]);
});

test('a file is read according to its name or media type', async () => {
  expect(addresses(await readFile(file('list.txt', 'https://a.example/\nhttps://b.example/')))).toHaveLength(2);
  expect(addresses(await readFile(file('bookmarks.html', BOOKMARKS)))).toHaveLength(2);
  expect(addresses(await readFile(file('x.csv', '\uFEFFurl\nhttps://a.example/')))).toEqual(['https://a.example/']);
  expect(addresses(await readFile(file('x', BOOKMARKS, 'text/html')))).toHaveLength(2);
});

test('a file is refused if it is binary or too large', async () => {
  expect(await readFile(file('x.bin', new Uint8Array([0, 1, 0, 0, 2, 3, 0, 4])))).toBe('not_text');
  expect(await readFile(file('x.txt', ''))).toEqual([]);
  const large = file('x.txt', 'x');
  Object.defineProperty(large, 'size', { value: MAX_FILE_SIZE + 1 });
  expect(await readFile(large)).toBe('too_much');
});

const transfer = (data: Record<string, string>) => readTransfer({ getData: (type: string) => data[type] ?? '' });

test('dropped or pasted data is read as dragged links, text, or links in HTML', () => {
  expect(transfer({ 'text/uri-list': 'https://a.example/\r\n' })).toEqual([{ text: 'https://a.example/', title: '' }]);
  const html = '<p>Read <a href="https://a.example/">this</a> and <a href="/relative">that</a></p>';
  expect(transfer({ 'text/plain': 'Read this and that', 'text/html': html })).toEqual([
    { text: 'https://a.example/', title: 'this' },
  ]);
  expect(transfer({ 'text/plain': 'https://b.example/', 'text/html': html })).toEqual([
    { text: 'https://b.example/', title: '' },
  ]);
  expect(transfer({ 'text/plain': 'words' })).toEqual([{ text: 'words', title: '' }]);
  expect(transfer({})).toEqual([]);
});

const TOO_MANY = Array.from({ length: MAX_ENTRIES + 1 }, (_, index) => `https://a.example/${index}`);

test.each([
  ['lines', { 'text/plain': TOO_MANY.join('\n') }],
  ['lines, half of them blank', { 'text/plain': 'x\n \n'.repeat(MAX_ENTRIES) }],
  ['URLs in one line', { 'text/plain': TOO_MANY.join(' ') }],
  ['characters', { 'text/plain': 'x'.repeat(MAX_FILE_SIZE + 1) }],
  ['dragged links', { 'text/uri-list': TOO_MANY.join('\r\n') }],
])('dropped or pasted data is refused if it has too many %s', (_what, data) => {
  expect(transfer(data)).toBe('too_much');
});

test('links in copied HTML are read even if its plain text has too many lines', () => {
  const html = '<a href="https://a.example/">this</a>';
  expect(transfer({ 'text/plain': 'words\n'.repeat(MAX_ENTRIES + 1), 'text/html': html })).toEqual([
    { text: 'https://a.example/', title: 'this' },
  ]);
});

test('pasted text with the maximum number of URLs is accepted', () => {
  expect(transfer({ 'text/plain': TOO_MANY.slice(1).join('\n') })).toHaveLength(MAX_ENTRIES);
});
