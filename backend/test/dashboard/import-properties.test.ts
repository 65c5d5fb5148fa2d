import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { type LinkOutcome, outcomeOf } from '../support/survey.ts';

const sample = (name: string) => readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url), 'utf8');

interface Outcome {
  links: LinkOutcome[];
}

async function linksOf(...parts: (string | Uint8Array)[]): Promise<LinkOutcome[]> {
  const outcome = await outcomeOf(...parts);
  if (typeof outcome === 'string') throw new Error(outcome);
  return (outcome as Outcome).links;
}

const sorted = (links: LinkOutcome[]) =>
  links.map(({ at: _, ...link }) => JSON.stringify(link)).sort((one, other) => (one < other ? -1 : 1));

type Page = unknown[] & Record<'data' | 'links' | 'result', unknown[]> & { shortUrls: { data: unknown[] } };

/** Functions that extract the entries from each JSON sample. */
const JSON_SAMPLES: Record<string, (page: Page) => unknown[]> = {
  'kutt-api-links-postgres.json': (page) => page.data,
  'bitly-api-v4-group-bitlinks.json': (page) => page.links,
  'shlink-rest-v3-short-urls.json': (page) => page.shortUrls.data,
  'shortio-api-links.json': (page) => page.links,
  'sink-legacy-api-list.json': (page) => page.links,
  'rebrandly-api-v1-links.json': (page) => page,
  'tly-api-link-list.json': (page) => page.data,
  'yourls-api-shlink-list.json': (page) => page.result,
  'lynx-export.json': (page) => page,
};

const CSV_SAMPLES = [
  'dub-export-default-columns.csv',
  'shlink-web-client-short_urls.csv',
  'shlink-importer-standard-comma.csv',
  'rebrandly-links-export-cli.csv',
  'UNPROVEN-bitly-csv-variant-a.csv',
  'UNPROVEN-bitly-csv-variant-b.csv',
  'UNPROVEN-bitly-csv-variant-c.csv',
];

const ENCODINGS: Record<string, (text: string) => Buffer> = {
  utf8: (text) => Buffer.from(text),
  'utf8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  utf16: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf16 the other way round': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};
const encoding = fc.constantFrom(...Object.keys(ENCODINGS));
const encode = (name: string, text: string) => (ENCODINGS[name] as (text: string) => Buffer)(text);

describe('the links of a file are the same', () => {
  it.each(Object.keys(JSON_SAMPLES))('in any order, encoding and layout of %s', async (name) => {
    const text = sample(name);
    const page = JSON.parse(text) as Page;
    const entries = JSON_SAMPLES[name]?.(page) as unknown[];
    const expected = sorted(await linksOf(text));
    const order = fc.shuffledSubarray(entries, { minLength: entries.length });
    await fc.assert(
      fc.asyncProperty(
        order,
        encoding,
        fc.constantFrom(undefined, 2, '\t'),
        fc.boolean(),
        async (shuffled, how, indent, isLines) => {
          const before = [...entries];
          entries.splice(0, entries.length, ...shuffled);
          const written = isLines
            ? shuffled.map((entry) => JSON.stringify(entry)).join('\n')
            : JSON.stringify(page, null, indent);
          entries.splice(0, entries.length, ...before);
          expect(sorted(await linksOf(encode(how, written)))).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  it.each(CSV_SAMPLES)('in any order of rows and columns, encoding and line ends of %s', async (name) => {
    const text = sample(name);
    const [header = [], ...rows] = Papa.parse<string[]>(text.trimEnd()).data;
    const expected = sorted(await linksOf(text));
    const order = fc.shuffledSubarray(rows, { minLength: rows.length });
    const columns = fc.shuffledSubarray([...header.keys()], { minLength: header.length });
    const cell = (value = '') => (/[",\r\n;\t]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    await fc.assert(
      fc.asyncProperty(
        order,
        columns,
        encoding,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(',', ';'),
        async (shuffled, indices, how, end, sign) => {
          const lines = [header, ...shuffled].map((row) => indices.map((at) => cell(row[at])).join(sign));
          expect(sorted(await linksOf(encode(how, lines.join(end))))).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('an import file loses no data', () => {
  it.each(['kutt-api-links-postgres.json', 'bitly-api-v4-group-bitlinks.json', 'rebrandly-api-v1-links.json'])(
    'if %s is cut off, the import is refused with a message',
    async (name) => {
      const text = sample(name).trimEnd();
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: text.length - 1 }), async (length) => {
          const outcome = await outcomeOf(text.slice(0, length));
          expect(outcome).toMatch(/cut off|is empty|no links|names? no/);
        }),
        { numRuns: 60 },
      );
    },
  );

  it('each row of any table is read as one entry with its line number', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/\0/g, '').toWellFormed()),
      fc.webUrl(),
      fc.constantFrom('', 'a', 'docs', '🚀', '2027-01-01', "'=1", 'team/plan', '%F0%9F', 'true', '\\N'),
    );
    const rows = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 8 });
    const written = (value: string) => `"${value.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const lines = cells.map((row) => row.map(written).join(',')).join('\n');
        const links = await linksOf(`shortCode,url,title,password\n${lines}`);
        expect(links).toHaveLength(cells.length);
        let line = 2;
        for (const [index, row] of cells.entries()) {
          expect(links[index]?.at).toBe(line);
          line += 1 + (row.join(',').match(/\r\n|\r|\n/g)?.length ?? 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('each entry of any JSON file is read as one entry with its number', async () => {
    const known = fc.record({
      url: fc.webUrl(),
      code: fc.string({ unit: 'binary' }),
      title: fc.string({ unit: 'binary' }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(known, fc.jsonValue()), { maxLength: 10 }), encoding, async (entries, how) => {
        const all = [{ url: 'https://example.com/' }, ...entries];
        const links = await linksOf(encode(how, JSON.stringify(all).toWellFormed()));
        expect(links.map(({ at }) => at)).toEqual(all.map((_, index) => index + 1));
      }),
      { numRuns: 200 },
    );
  });
});
