import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LinkOutcome, outcomeOf } from '../support/imports.ts';

const folder = new URL('../fixtures/imports/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, unknown>;
const samples = readdirSync(folder).filter((name) => name !== 'expected.json');

/** Returns the code of each link in a file, with its URL or problem. */
async function linksOf(...parts: (string | Uint8Array)[]) {
  const outcome = await outcomeOf(...parts);
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome.links.map(({ code, url, problem }) => [code, problem ?? url]);
}

describe('a sample of another service', () => {
  it('has an expected result', () => expect(Object.keys(expected).sort()).toEqual(samples.sort()));

  it.each(samples)('%s is read as expected', async (name) => {
    expect(await outcomeOf(readFileSync(new URL(name, folder)))).toEqual(expected[name]);
  });
});

describe('an export of Kutt', () => {
  it('made by an administrator is read, although its format differs', async () => {
    const link = {
      address: 'a',
      target: 'https://a.example/',
      banned: 1,
      password: false,
      visit_count: '1,024',
      domain: 'kutt.example.com',
      link: { address: 'a', link: 'kutt.example.com/a', url: 'https://kutt.example.com/a' },
    };
    expect(await outcomeOf(JSON.stringify({ data: [link] }))).toMatchObject({
      links: [{ domain: 'kutt.example.com', code: 'a', problem: expect.stringContaining('banned') }],
    });
  });

  it('can consist of several pages', async () => {
    const page = (skip: number) =>
      JSON.stringify({ total: 2, limit: 1, skip, data: [{ address: `a${skip}`, target: 'https://a.example/' }] });
    for (const all of [`${page(0)}\n${page(1)}`, `[${page(0)},${page(1)}]`]) {
      expect(await outcomeOf(all)).toMatchObject({ links: [{ code: 'a0' }, { code: 'a1' }] });
    }
  });
});

describe('an export of YOURLS', () => {
  it('from the API is read, although its links are numbered', async () => {
    const link = (code: string) => ({
      shorturl: `https://sho.example/${code}`,
      url: `https://${code}.example/`,
      title: code,
      timestamp: '2011-02-03 04:05:06',
      ip: '10.0.0.1',
      clicks: '1,009',
    });
    const answer = {
      links: { link_1: link('one'), link_2: link('2') },
      stats: { total_links: '3' },
      statusCode: '200',
    };
    expect(await outcomeOf(JSON.stringify(answer))).toMatchObject({
      format: 'YOURLS',
      links: [
        {
          domain: 'sho.example',
          code: 'one',
          url: 'https://one.example/',
          createdAt: '2011-02-03T04:05:06.000Z',
          clicks: 1009,
        },
        { code: '2' },
      ],
    });
  });

  it('as CSV from the plugin has codes between slashes', async () => {
    const csv = 'source,target,hits\r\n/older/,https://older.example/,4\r\n/1/,"https://one.example/?a=1,2",\r\n';
    expect(await linksOf(csv)).toEqual([
      ['older', 'https://older.example/'],
      ['1', 'https://one.example/?a=1,2'],
    ]);
  });
});

it('an export of Sink has links with passwords, which are not imported, and times in seconds', async () => {
  const links = [
    { slug: 'a', url: 'https://a.example/', createdAt: 1709288430, tags: ['x'], expiration: 1798761600 },
    { slug: 'b', url: 'https://b.example/', createdAt: 1709288430, tags: [], password: 'sink-pwd:v1:1:a:b:c' },
    {
      slug: 'c',
      url: 'https://c.example/',
      createdAt: 1709288430,
      tags: [],
      unsafe: true,
      geo: { DE: 'https://d.example/' },
    },
    { slug: 'd', url: 'https://d.example/', createdAt: 1709288430, tags: [], geo: { DE: 'https://e.example/' } },
    { slug: 'e', url: 'https://e.example/', createdAt: 1709288430, tags: [], redirectWithQuery: true },
    { slug: 'f', url: 'https://f.example/', createdAt: 1709288430, tags: [], redirectWithQuery: false },
  ];
  expect(await outcomeOf(JSON.stringify({ version: '1.0', count: 6, links }, null, 2))).toMatchObject({
    format: 'Sink',
    links: [
      { code: 'a', createdAt: '2024-03-01T10:20:30.000Z', expiresAt: '2027-01-01T00:00:00.000Z' },
      { code: 'b', problem: expect.stringContaining('password') },
      { code: 'c', problem: expect.stringContaining('warning') },
      { code: 'd' },
      { code: 'e', forwardQuery: true },
      { code: 'f', forwardQuery: false },
    ],
  });
});

it('an export of chhoto-url has the expiry 0 for links that never expire', async () => {
  const link = { shortlink: 'a', longlink: 'https://a.example/', hits: 3, expiry_time: 0, notes: '' };
  const other = { ...link, shortlink: 'swift-otter', expiry_time: 1798761600, notes: 'mine' };
  expect(await outcomeOf(JSON.stringify([link, other]))).toMatchObject({
    format: 'chhoto-url',
    links: [
      { code: 'a', expiresAt: null, clicks: 3 },
      { code: 'swift-otter', expiresAt: '2027-01-01T00:00:00.000Z' },
    ],
  });
});

it('an export of Polr has secret links, whose codes keep the secret ending', async () => {
  const csv =
    'id,short_url,long_url,ip,creator,clicks,secret_key,is_disabled,is_custom,is_api,created_at,updated_at,long_url_hash\n' +
    '1,0,https://a.example/,,ada,3,,0,0,0,2020-01-02 03:04:05,2020-01-02 03:04:05,x\n' +
    '2,b,https://b.example/,,ada,3,k3y,0,0,0,2020-01-02 03:04:05,2020-01-02 03:04:05,x\n' +
    '3,c,https://c.example/,,ada,3,,1,0,0,2020-01-02 03:04:05,2020-01-02 03:04:05,x\n';
  expect(await linksOf(csv)).toEqual([
    ['0', 'https://a.example/'],
    ['b/k3y', 'https://b.example/'],
    ['c', expect.stringContaining('disabled')],
  ]);
});

it('an export of Dub has an apostrophe before each formula, which the import removes', async () => {
  const csv =
    "Short link,Destination URL,Tags\nhttps://dub.sh/-x,https://a.example/,'=a\nhttps://dub.sh/y,https://b.example/,\n";
  expect(await outcomeOf(csv)).toMatchObject({ links: [{ code: '-x', tags: ['=a'] }, { code: 'y' }] });
});

describe('a table', () => {
  it('can name its delimiter in the first line, like spreadsheets do', async () => {
    expect(await outcomeOf('sep=;\r\nshort code;URL;Title\r\na;https://a.example/;"x;y"\r\n')).toMatchObject({
      links: [{ at: 3, code: 'a', title: 'x;y' }],
    });
  });

  it('exported from a database can have tabs, and texts for empty cells', async () => {
    const rows = [
      'address\ttarget\tdescription\tpassword',
      'a\thttps://a.example/\tSay "hi"\t\\N',
      'b\thttps://b.example/\tNULL\tNULL',
    ];
    expect(await outcomeOf([...rows, ''].join('\n'))).toMatchObject({
      format: 'Kutt',
      links: [
        { at: 2, code: 'a', title: 'Say "hi"' },
        { at: 3, code: 'b', title: '' },
      ],
    });
  });

  it.each([
    ['UTF-16 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 with a mark, in big-endian order', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['Latin-1', (text: string) => Buffer.from(text, 'latin1')],
  ])('may be encoded in %s', async (_, encode) => {
    const text = 'Short code\tURL\t"Title"\r\nstraße\thttps://a.example/\t"Größe ""L"", schön"\r\n';
    expect(await outcomeOf(encode(text))).toMatchObject({
      links: [{ at: 2, code: 'straße', title: 'Größe "L", schön' }],
    });
  });

  it('of tiny.cc has short URLs or codes', async () => {
    expect(await linksOf('"url";"short_url"\n"https://a.example/";"https://tiny.cc/a"\n')).toEqual([
      ['a', 'https://a.example/'],
    ]);
    expect(await linksOf('"url";"short_id";"note"\n"https://a.example/";"b";""\n')).toEqual([
      ['b', 'https://a.example/'],
    ]);
  });

  it('can omit codes, but a short URL without a code belongs to the bare domain', async () => {
    expect(await linksOf('url\nhttps://a.example/\n')).toEqual([[null, 'https://a.example/']]);
    expect(await linksOf('url,shortUrl\nhttps://a.example/,https://go.example/\n')).toEqual([
      ['', expect.stringContaining('bare domain')],
    ]);
  });

  it.each([
    ['"a, B ,a,"', ['a', 'B']],
    ['a|b|', ['a', 'b']],
    ['"a|b,c"', ['a|b', 'c']],
    ['[]', undefined],
    [`ok|${'x'.repeat(51)}`, ['ok']],
    ['"1,2,3,4,5,6,7,8,9,10,11"', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
  ])('can have the tags %s', async (cell, tags) => {
    const outcome = await outcomeOf(`url,tags\nhttps://a.example/,${cell}\n`);
    expect(outcome).toMatchObject({ links: [{ url: 'https://a.example/' }] });
    expect((outcome as { links: { tags?: string[] }[] }).links[0]?.tags).toEqual(tags);
  });
});

describe('a date', () => {
  const expiryOf = async (text: string) => {
    const outcome = await outcomeOf(JSON.stringify([{ url: 'https://a.example/', expiresAt: text }]));
    return (outcome as { links: LinkOutcome[] }).links[0]?.expiresAt;
  };

  it.each([
    ['2021-04-15', '2021-04-15T00:00:00.000Z'],
    ['2021-04-15 10:11', '2021-04-15T10:11:00.000Z'],
    ['2021-04-15T10:11:12.345678+02', '2021-04-15T08:11:12.345Z'],
    ['2021-04-15 10:11:12 +0130', '2021-04-15T08:41:12.000Z'],
    ['2021-04-15 10:11:12 UTC', '2021-04-15T10:11:12.000Z'],
    ['1618481472', '2021-04-15T10:11:12.000Z'],
    ['1618481472000', '2021-04-15T10:11:12.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is read as %s', async (text, instant) => expect(await expiryOf(text)).toBe(instant));

  it.each(['', 'null', '\\N', 'never', '0', '0000-00-00 00:00:00'])('%j means that there is none', async (text) => {
    expect(await expiryOf(text)).toBeNull();
  });

  it.each([
    ...['soon', '4/15/2021', '2021-13-01', '2021-02-29', '44301', '20210415', '20210415101112', '99999999999999'],
    ...['2021-04-15 25:00', '2021-04-15 10:11:12 Mars', '15 Apr 2021', '2021-04-15x'],
  ])('%j is not read', async (text) => expect(await expiryOf(text)).toBe('invalid'));
});

describe('a file', () => {
  it.each([
    [
      '{"data":[{"address":"a","target":"https://a.example/"},{"addr',
      'This file ends too early, after entry 1: it was cut off.',
    ],
    ['[{"url":"https://a.example/"}', 'This file ends too early, after entry 1: it was cut off.'],
    ['{"data":[]}', 'This file contains no links, or its first rows cannot be read.'],
    ['{"name":"Ada"}', 'The entries of this file have no field with long URLs. Name it “url”, “longUrl” or “target”.'],
    ['[1]', 'This file contains no links, or its first rows cannot be read.'],
    ['[1]]', 'This file is not valid JSON: see line 1, after entry 1. Correct it there, or export it again.'],
    [
      '[{"url":"https://a.example/"}]\nx',
      'This file is not valid JSON: see line 2, after entry 1. Correct it there, or export it again.',
    ],
    ['<!doctype html><title>x</title>', 'Web pages and XML files cannot be imported. Export the links as CSV or JSON.'],
    ['SQLite format 3\0', expect.stringContaining('This file is not text, but a database, an archive')],
    ['\n \n', 'This file is empty.'],
    [
      '-- MySQL dump 10.13\nINSERT INTO `things` VALUES (1);',
      'The first line of this file names no column with long URLs. Name it “url”, “longUrl” or “target”.',
    ],
  ])('%j is refused with a message', async (text, problem) => {
    expect(await outcomeOf(Buffer.from(text, 'latin1'))).toEqual(problem);
  });

  it('can have entries that are not links, which are listed as problems', async () => {
    expect(await linksOf('[{"url":"https://a.example/"}, null, "x, y", [1], {"url":5}]')).toEqual([
      [null, 'https://a.example/'],
      ['null', 'This entry is not a link.'],
      ['"x, y"', 'This entry is not a link.'],
      ['[1]', 'This entry is not a link.'],
      [null, expect.any(String)],
    ]);
  });
});
