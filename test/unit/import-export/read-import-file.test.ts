import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Contents, MAX_ENTRIES, MAX_FILE_SIZE } from '../../../src/import-export/import-limits-and-errors.ts';
import { MAX_CONNECTIONS, readFile } from '../../../src/import-export/read-import-file.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 42);
const sample = (name: string) => readFileSync(`backend/test/fixtures/imports/${name}`);

async function contentsOf(bytes: string | Uint8Array<ArrayBuffer>): Promise<Contents> {
  const read = await readFile(new Blob([bytes]), NOW);
  if ('problem' in read) throw new Error(read.problem);
  return read.contents;
}

const problemOf = async (bytes: string | Uint8Array<ArrayBuffer>) => {
  const read = await readFile(new Blob([bytes]), NOW);
  return 'problem' in read ? read.problem : null;
};

describe('tables of other services', () => {
  test.each([
    [
      'kutt-api-links-postgres.json',
      { url: 'target', shortUrl: 'link', title: 'description', createdAt: 'created_at' },
    ],
    ['dub-export-default-columns.csv', { url: 'Destination URL', shortUrl: 'Short link', createdAt: 'Created at' }],
    [
      'shlink-web-client-short_urls.csv',
      { url: 'longUrl', shortUrl: 'shortUrl', title: 'title', createdAt: 'createdAt' },
    ],
    [
      'shlink-rest-v3-short-urls.json',
      { url: 'longUrl', shortUrl: 'shortUrl', title: 'title', createdAt: 'dateCreated' },
    ],
    ['rebrandly-links-export-cli.csv', { url: 'destination', shortUrl: 'shortUrl', createdAt: 'createdAt' }],
    [
      'bitly-api-v4-group-bitlinks.json',
      { url: 'long_url', shortUrl: 'link', title: 'title', createdAt: 'created_at' },
    ],
    [
      'tly-api-link-list.json',
      { url: 'long_url', shortUrl: 'short_url', title: 'description', createdAt: 'created_at' },
    ],
    [
      'UNPROVEN-bitly-csv-variant-c.csv',
      { url: 'Long URL', shortUrl: 'Bitlink', title: 'Title', createdAt: 'Created' },
    ],
  ])('%s', async (name, expected) => {
    const { columns, links } = await contentsOf(sample(name));
    expect(Object.fromEntries(columns?.recognized.map(({ field, name }) => [field, name]) ?? [])).toEqual(expected);
    expect(links.length).toBeGreaterThan(1);
    expect(links.filter(({ createdAt }) => createdAt === new Date(NOW).toISOString())).toEqual([]);
  });

  test.each([
    'UNPROVEN-bitly-csv-variant-a.csv',
    'UNPROVEN-bitly-csv-variant-b.csv',
    'rebrandly-api-v1-links.json',
    'shortio-api-links.json',
  ])('%s is read, because it has long and full short URLs', async (name) => {
    const { links, leftOut } = await contentsOf(sample(name));
    expect(links.length).toBeGreaterThan(3);
    expect(leftOut).toEqual([]);
  });

  test.each([
    'lynx-export.json',
    'shlink-importer-standard-comma.csv',
    'shlink-importer-standard-semicolon.csv',
    'sink-legacy-api-list.json',
    'tinyurl-api-urls-available.json',
    'yourls-api-shlink-list.json',
  ])('%s has no full short URLs or no long URLs, which the message requests', async (name) => {
    expect(await problemOf(sample(name))).toBe('no_columns');
  });

  test('a file from a spreadsheet can declare its separator in the first line', async () => {
    const { links } = await contentsOf('sep=;\r\nShort URL;Long URL\r\nhttps://s.example/1;https://x.example/;a\r\n');
    expect(links).toMatchObject([{ url: 'https://x.example/', shortUrl: 'https://s.example/1' }]);
  });

  test('a Kutt list for administrators has its short URL in an object', async () => {
    const link = { address: 'a', link: 'kutt.example.com/a', url: 'https://kutt.example.com/a' };
    const json = { total: 1, data: [{ address: 'a', target: 'https://a.example/', description: 'A', link }] };
    const { links } = await contentsOf(JSON.stringify(json));
    expect(links).toMatchObject([{ url: 'https://a.example/', shortUrl: 'https://kutt.example.com/a', title: 'A' }]);
  });

  test('an import keeps all supported fields of a row, and reports the others', async () => {
    const { links, columns } = await contentsOf(sample('dub-export-default-columns.csv'));
    expect(links.at(-1)).toEqual({
      id: 'imported https://dub.sh/launch-26',
      connectionId: null,
      groupId: null,
      url: 'https://example.com/launch?utm_source=mail&ids=1,2#top',
      title: '',
      shortUrl: 'https://dub.sh/launch-26',
      shortCode: 'launch-26',
      createdAt: '2024-11-05T17:45:00.000Z',
      expiresAt: null,
    });
    expect(columns?.unused).toEqual(['Clicks']);
  });

  test('the history of kutt-extension up to version 3 is read with its newest link first', async () => {
    const stored = {
      userOptions: { keepHistory: true },
      URL_array: [
        { longUrl: 'https://example.com/old', shortUrl: 'https://kutt.it/old' },
        { longUrl: 'https://example.com/new', shortUrl: 'https://kutt.it/new' },
      ],
    };
    const { links } = await contentsOf(JSON.stringify(stored));
    expect(links.map(({ url, createdAt }) => [url, Date.parse(createdAt) - NOW])).toEqual([
      ['https://example.com/new', 0],
      ['https://example.com/old', -1],
    ]);
  });

  test.each([
    ['LONG_URL;Short Url;Name', 'https://x.example/1;https://s.example/1;One'],
    ['Long-URL\tshort url\tTITLE', 'https://x.example/1\thttps://s.example/1\tOne'],
    ['title,original url,shortened', 'One,https://x.example/1,s.example/1'],
  ])('headers may have any spelling, and cells any separator: %s', async (header, row) => {
    const { links } = await contentsOf(`${header}\r\n${row}\r\n`);
    expect(links).toMatchObject([{ url: 'https://x.example/1', shortUrl: 'https://s.example/1', title: 'One' }]);
  });

  test.each([
    ['2026-03-09', '2026-03-09T00:00:00.000Z'],
    ['2026-03-09 12:30:05', '2026-03-09T12:30:05.000Z'],
    ['2026-03-09T12:30:05+0200', '2026-03-09T10:30:05.000Z'],
    ['1773059405', '2026-03-09T12:30:05.000Z'],
    ['1773059405000', '2026-03-09T12:30:05.000Z'],
    // The import replaces ambiguous dates, and dates that do not exist, with the current time.
    ['03/09/2026', new Date(NOW).toISOString()],
    ['2026-02-30', new Date(NOW).toISOString()],
    ['0000-01-01', new Date(NOW).toISOString()],
    // The import replaces future dates with the current time.
    ['2099-12-31', new Date(NOW).toISOString()],
  ])('a time may be written as %s', async (written, read) => {
    const { links } = await contentsOf(`url,short,created\nhttps://x.example,https://s.example/1,${written}`);
    expect(links[0]?.createdAt).toBe(read);
  });

  test('a column without a name, such as row numbers, is neither title nor date', async () => {
    const { links } = await contentsOf(',url,short\n1773059405,https://x.example,https://s.example/1\n');
    expect(links).toMatchObject([{ title: '', createdAt: new Date(NOW).toISOString() }]);
  });

  test('a column with ambiguous or invalid dates is reported as not imported', async () => {
    const row = (id: number, date: string) => `https://x.example,https://s.example/${id},${date}\n`;
    const head = 'url,short,created\n';
    const unread = await contentsOf(head + row(1, '31/12/2020') + row(2, '03/09/2026'));
    expect(unread.columns?.recognized.map(({ field }) => field)).toEqual(['shortUrl', 'url']);
    expect(unread.columns?.unused).toEqual(['created']);
    const read = await contentsOf(head + row(1, '') + row(2, '2026-03-09'));
    expect(read.columns?.recognized.map(({ field }) => field)).toEqual(['shortUrl', 'url', 'createdAt']);
    expect(read.columns?.unused).toEqual([]);
  });
});

describe('encodings', () => {
  const text = 'url,shortUrl,title\nhttps://x.example/,https://s.example/1,Käse für 5 €\n';
  const utf16 = (order: 'le' | 'be', mark: boolean) => {
    const bytes = Buffer.from(`${mark ? '\uFEFF' : ''}${text}`, 'utf16le');
    return new Uint8Array(order === 'le' ? bytes : bytes.swap16());
  };

  test.each([
    ['UTF-8', new TextEncoder().encode(text), false],
    ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${text}`), false],
    ['UTF-16, little-endian', utf16('le', true), false],
    ['UTF-16, big-endian', utf16('be', true), false],
    ['UTF-16 without a byte order mark', utf16('le', false), false],
    ['Windows-1252', new Uint8Array(Buffer.from(text.replace('€', '\x80'), 'latin1')), true],
  ])('%s', async (_name, bytes, guessed) => {
    const contents = await contentsOf(bytes);
    expect(contents.links).toMatchObject([{ title: 'Käse für 5 €' }]);
    expect(contents.guessedEncoding).toBe(guessed);
  });
});

const fields = (count: number) => ({
  url: 'https://x.example',
  shortUrl: 'https://s.example/1',
  ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 'x'])),
});

describe('an entry is left out with a reason', () => {
  test.each([
    ['javascript:alert(1),https://s.example/1', 'bad_long_url'],
    ['data:text/html;base64;x,https://s.example/1', 'bad_long_url'],
    ['https://x.example/,javascript:alert(1)', 'bad_short_url'],
    ['https://x.example/ https://y.example/,https://s.example/1', 'bad_long_url'],
    ['somebody@x.example,https://s.example/1', 'bad_long_url'],
    [',https://s.example/1', 'no_long_url'],
    ['https://x.example/,', 'no_short_url'],
    ['https://x.example/', 'no_short_url'],
    [`https://x.example/${'a'.repeat(33_000)},https://s.example/1`, 'broken_entry'],
  ])('%s', async (row, reason) => {
    const { links, leftOut } = await contentsOf(`url,shortUrl\nhttps://x.example/0,https://s.example/0\n${row}\n`);
    expect(links).toHaveLength(1);
    expect(leftOut).toEqual([{ list: null, entry: 2, reason }]);
  });

  test('for a short URL that is too long for a QR code', async () => {
    const { leftOut } = await contentsOf(`url,shortUrl\nhttps://x.example/,https://s.example/${'a'.repeat(3_000)}\n`);
    expect(leftOut).toEqual([{ list: null, entry: 1, reason: 'broken_entry' }]);
  });

  const good = { longUrl: 'https://x.example/', shortUrl: 'https://s.example/good' };
  const bad = { longUrl: 'javascript:alert(1)', shortUrl: 'https://s.example/bad' };
  const other = { name: 'news' };

  test.each<[string, unknown, string | null, number]>([
    ['in an export with other lists before it', null, 'links', 2],
    ['in the longest of several lists', { tags: [other, other], data: { links: [good, good, bad] } }, 'data.links', 3],
    ['in lists without names', [[other], [good, bad]], '2', 2],
    ['in the only list', [good, bad], null, 2],
    ['in a list that is read from its end', { URL_array: [bad, good, good] }, 'URL_array', 1],
  ])('with its list and its position in the list: %s', async (_what, json, list, entry) => {
    const link = { id: 'a', connectionId: null, groupId: null, title: '', shortCode: 'a', expiresAt: null };
    const instant = new Date(NOW).toISOString();
    const whole = { ...link, url: good.longUrl, shortUrl: good.shortUrl, createdAt: instant };
    const connections = [{ id: 'c', name: '', baseUrl: 'https://links.example.com' }];
    const head = { format: 'terse-export', version: 1, exportedAt: instant, settings: {} };
    const exported = { ...head, connections, links: [whole, { id: 'b' }], requests: [] };
    const { leftOut } = await contentsOf(JSON.stringify(json ?? exported));
    const found = leftOut.filter(({ reason }) => reason !== 'twice');
    expect(found).toMatchObject([{ list, entry }]);
  });

  test('for a short URL that is in the file twice', async () => {
    const row = 'https://x.example/,https://s.example/1\n';
    const { links, leftOut } = await contentsOf(`url,shortUrl\n${row}${row}`);
    expect(links).toHaveLength(1);
    expect(leftOut).toEqual([{ list: null, entry: 2, reason: 'twice' }]);
  });

  test('for connections beyond the maximum, and the other entries are kept', async () => {
    const connections = Array.from({ length: MAX_CONNECTIONS + 2 }, (_, index) => ({
      id: `${index}`,
      name: '',
      baseUrl: `https://s${index}.example`,
    }));
    const link = { id: 'a', connectionId: '0', groupId: null, url: 'https://x.example/', title: '' };
    const made = {
      shortUrl: 'https://s.example/1',
      shortCode: '1',
      createdAt: '2026-01-01T00:00:00Z',
      expiresAt: null,
    };
    const contents = await contentsOf(
      JSON.stringify({
        format: 'terse-export',
        version: 1,
        exportedAt: '',
        settings: {},
        connections,
        links: [{ ...link, ...made }],
        requests: [],
      }),
    );
    expect(contents.connections).toHaveLength(MAX_CONNECTIONS);
    expect(contents.links).toHaveLength(1);
    expect(contents.leftOut).toEqual([
      { list: 'connections', entry: MAX_CONNECTIONS + 1, reason: 'broken_entry' },
      { list: 'connections', entry: MAX_CONNECTIONS + 2, reason: 'broken_entry' },
    ]);
  });

  test('but not for a formula prefix in its title or user info in its URL, which are removed', async () => {
    const { links } = await contentsOf(
      `url,shortUrl,title\nhttps://me:secret@x.example/,https://s.example/1,"'=HYPERLINK(""https://evil"")"`,
    );
    expect(links).toMatchObject([{ url: 'https://x.example/', title: '=HYPERLINK("https://evil")' }]);
  });
});

describe('a file is refused as a whole', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['white space', ' \n ', 'empty'],
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff]), 'not_text'],
    ['truncated JSON', '{"format": "terse-export", "links": [', 'broken_json'],
    ['an export without its lists', '{"format": "terse-export", "version": 1}', 'broken_json'],
    [
      'an export of a later version',
      '{"format":"terse-export","version":2,"exportedAt":"","settings":{},"connections":[],"links":[],"requests":[]}',
      'newer_version',
    ],
    ['JSON with other data', '{"name": "terse", "version": "1.0.0"}', 'no_columns'],
    ['a table with other data', 'name,price\nCheese,5', 'no_columns'],
    ['a table without short URLs', 'url,title\nhttps://x.example,One', 'no_columns'],
    ['only a header', 'url,shortUrl', 'no_columns'],
    ['a quote that never ends', 'url,shortUrl\n"https://x.example,https://s.example/1\n', 'broken_csv'],
    ['deeply nested JSON', '['.repeat(100_000) + ']'.repeat(100_000), 'no_columns'],
    [
      'a table with too many columns',
      `url,shortUrl${',x'.repeat(5_000)}\nhttps://x.example,https://s.example/1`,
      'no_columns',
    ],
    [
      'a table with too many columns below an empty line',
      `""\nurl,shortUrl${',x'.repeat(5_000)}\nhttps://x.example,https://s.example/1`,
      'no_columns',
    ],
    ['JSON objects with too many fields', JSON.stringify([fields(5_000)]), 'no_columns'],
    ['too many rows', `url,shortUrl\n${'https://x.example,https://s.example/1\n'.repeat(MAX_ENTRIES + 1)}`, 'too_much'],
    ['JSON with too many objects', `[${'{},'.repeat(MAX_ENTRIES)}{}]`, 'too_much'],
    ['too many lines', `url,shortUrl\n${'\n,'.repeat(5 * MAX_ENTRIES)}`, 'too_much'],
  ])('if it contains %s', async (_name, bytes, problem) => {
    expect(await problemOf(bytes)).toBe(problem);
  });

  test('if it is too large, without being read', async () => {
    const file = { size: MAX_FILE_SIZE + 1, arrayBuffer: () => Promise.reject(new Error('The file was read.')) };
    expect(await readFile(file, NOW)).toEqual({ problem: 'too_much' });
  });

  test('if it no longer exists', async () => {
    const file = { size: 1, arrayBuffer: () => Promise.reject(new DOMException('Gone', 'NotFoundError')) };
    expect(await readFile(file, NOW)).toEqual({ problem: 'unreadable' });
  });
});
