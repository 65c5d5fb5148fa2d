import { readFileSync } from 'node:fs';
import { setImmediate as tick } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accountNameProblem, normalizeName } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { verifyPassword } from '../../src/domain/accounts/passwords.ts';
import { codeInPath } from '../../src/domain/links/short-codes.ts';
import { MAX_ROWS, openImportFile, readLinks } from '../../src/import/open-file.ts';
import { FileProblem } from '../../src/import/read-records.ts';
import { RULES, surveyOf } from '../support/imports.ts';

const KB = 1024;
const MB = 1024 * KB;
/** Many combining marks. Normalizing them takes quadratic time. */
const MARKS = `a${'\u0301\u0316'.repeat(60 * KB)}`;

afterEach(() => vi.restoreAllMocks());

/** Returns how often the event loop ran other work in the meantime. */
async function ticksDuring(work: Promise<unknown>): Promise<number> {
  let ticks = 0;
  let isDone = false;
  const done = work
    .catch(() => {})
    .then(() => {
      isDone = true;
    });
  for (; !isDone; ticks += 1) await tick();
  await done;
  return ticks;
}

async function linesOf(text: string): Promise<number[]> {
  const batches = await Array.fromAsync(readLinks(await openImportFile(Buffer.from(text)), RULES, 0));
  return batches.flat().map(({ at }) => at);
}
const problemOf = (...parts: (string | Uint8Array)[]) =>
  surveyOf(...parts).then(
    () => null,
    (error) => (error instanceof FileProblem ? error.message : Promise.reject(error)),
  );

describe('a file', () => {
  it.each([
    [`url\n${'a\n'.repeat(MAX_ROWS + 1)}`, 'This file has more than 200,000 rows. Split it into smaller files.'],
    ['{"data":[]}'.repeat(20_001), 'This file has more than 20,000 responses of an API. Split it into smaller files.'],
    [`url\n${'x'.repeat(MB)}\n`, 'This file contains no links, or its first rows cannot be read.'],
  ])('with too many rows, responses of an API or characters in its rows is refused (%#)', async (text, problem) => {
    expect(await problemOf(text)).toBe(problem);
  });

  it('can have the maximum number of rows', async () => {
    expect((await surveyOf(`url\n${'a\n'.repeat(MAX_ROWS)}`)).preview.total).toBe(MAX_ROWS);
  });

  it.each([
    ['table', `url,title\n${'https://example.com/,A title\n'.repeat(50_000)}`],
    ['list', `[${'{"url":"https://example.com/","title":"A title"},'.repeat(50_000)}null]`],
    ['table with many blank lines', `url\nhttps://example.com/\n${'\n'.repeat(8 * MB)}`],
  ])('that is a %s lets other work run while it is read', async (_, text) => {
    expect(await ticksDuring(surveyOf(text))).toBeGreaterThan(50_000 / 500);
  });

  it.each([
    ['table with a long cell', `url,code\n"${'x\n'.repeat(MB)}",a\nhttps://one.example/,b\n`, [2, MB + 3]],
    ['table with a row of commas', `url\n${','.repeat(2 * MB)}\nhttps://one.example/\n`, [2, 3]],
    ['list', `[{"url":"${'x'.repeat(2 * MB)}"},{"url":"https://one.example/"}]`, [1, 2]],
    ['response', `{"data":[{"x":[${'1,'.repeat(MB)}1]},{"url":"https://one.example/"}]}`, [1, 2]],
  ])('that is a %s is imported without the row that is too long', async (_, text, [bad, good]) => {
    const { ready, problems, first } = (await surveyOf(text)).preview;
    expect(problems).toEqual([{ problem: 'This row is longer than 262,144 characters.', links: 1, at: bad }]);
    expect([ready, first.at(-1)?.at]).toEqual([1, good]);
  });

  const CUT_OFF = 'This file ends too early, after entry';
  const UNQUOTED = 'This file is not valid CSV:';

  it.each([
    ['quoted cell', `url\nfine\n"${'x\n'.repeat(MB)}`, `${UNQUOTED} what follows line 2 cannot be read.`],
    ['quoted name', `"${'x\n'.repeat(MB)}`, `${UNQUOTED} its first line cannot be read.`],
    ['row', `url\n${','.repeat(24 * MB)}`, `${UNQUOTED} what follows line 1 cannot be read.`],
    ['list of lists', `[${'['.repeat(MB)}`, `${CUT_OFF} 0`],
    ['page of pages', '{"data":'.repeat(2 * MB), `${CUT_OFF} 0`],
    ['value', `[{"url":"https://one.example/"},{"url":"${'x'.repeat(MB)}`, `${CUT_OFF} 1`],
    ['name', `{"links":{"${'\\"'.repeat(MB)}`, `${CUT_OFF} 0`],
    ['response', `{"links":[{"url":"https://one.example/"}],"more":"${'x'.repeat(MB)}`, `${CUT_OFF} 1`],
  ])('with a %s without end is refused', async (_, text, problem) => {
    expect(await problemOf(text)).toContain(problem);
  });

  it.each([
    ['objects in objects', `[{"url":"https://one.example/","x":${'{"x":'.repeat(30_000)}1${'}'.repeat(30_000)}}]`],
    ['names', `[{"url":"https://one.example/"${Array.from({ length: 15_000 }, (_, at) => `,"x${at}":1`).join('')}}]`],
    ['columns', `url${',x'.repeat(100_000)}\nhttps://one.example/\n${'a\n'.repeat(50_000)}`],
  ])('with very many %s can be read', async (_, text) => {
    expect(await problemOf(text)).toBeNull();
  });

  it.each(['<?xml version="1.0"?><rss></rss>', '<redirection/>'])('of XML is refused', async (text) => {
    expect(await problemOf(text)).toBe('Web pages and XML files cannot be imported. Export the links as CSV or JSON.');
  });

  it.each<[string, (string | Uint8Array<ArrayBuffer>)[], string]>([
    [
      'a zero byte',
      ['url\n', new Uint8Array([0])],
      'This file is not text, but a database, an archive or a spreadsheet. Export the links as CSV or JSON.',
    ],
    [
      'an invalid byte between valid lines',
      ['url\né\n', new Uint8Array([0xff]), '\n'],
      'This file mixes text encodings: see line 3. Save it as UTF-8.',
    ],
  ])('is not text if it contains %s', async (_, parts, problem) => {
    expect(await problemOf(...parts)).toBe(problem);
  });

  it('is read to its end if its last character is incomplete', async () => {
    expect(await problemOf('url,title\nhttps://example.com/,é', new Uint8Array([0xe2, 0x82]))).toBeNull();
  });
});

describe('a row’s line', () => {
  it.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('is the line where it starts, with line breaks of %s, also within cells', async (_, end) => {
    const text = ['url,title', 'a,"x', 'y', '', 'z"', '', 'b,t', '"1', '2",t', 'c,t', ''].join(end);
    expect(await linesOf(text)).toEqual([2, 7, 8, 10]);
  });

  it('is correct wherever the file is split for reading', async () => {
    const row = 'a,"x\r\ny"\r\n';
    for (let shift = 0; shift < row.length; shift += 1) {
      const lines = await linesOf(`url,${'t'.repeat(shift)}\r\n${row.repeat(9000)}`);
      expect(lines).toEqual(Array.from({ length: 9000 }, (_, at) => 2 + 2 * at));
    }
  });

  it('is in the message if the rest of a file cannot be read', async () => {
    const bad = 'url\r\n"a\r\nb"\r\nc\r\n"x" y\r\n';
    expect(await problemOf(bad)).toBe(
      'This file is not valid CSV: what follows line 4 cannot be read. Correct the quotes there.',
    );
    expect(await problemOf('"url" y\n')).toBe(
      'This file is not valid CSV: its first line cannot be read. Correct the quotes there.',
    );
  });
});

describe('an import file loses no data', () => {
  it('if it is cut off, the import is refused with a message', async () => {
    const sample = new URL('../fixtures/imports/kutt-api-links-postgres.json', import.meta.url);
    const text = readFileSync(sample, 'utf8').trimEnd();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length - 1 }), async (length) => {
        expect(await problemOf(text.slice(0, length))).toMatch(/cut off|is empty|no links|names? no/);
      }),
    );
  });

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
        const expected: number[] = [];
        let line = 2;
        for (const row of cells) {
          expected.push(line);
          line += 1 + (row.join(',').match(/\r\n|\r|\n/g)?.length ?? 0);
        }
        expect(await linesOf(`shortCode,url,title,password\n${lines}`)).toEqual(expected);
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
      fc.asyncProperty(fc.array(fc.oneof(known, fc.jsonValue()), { maxLength: 10 }), async (entries) => {
        const all = [{ url: 'https://example.com/' }, ...entries];
        const lines = await linesOf(JSON.stringify(all).toWellFormed());
        expect(lines).toEqual(all.map((_, index) => index + 1));
      }),
      { numRuns: 200 },
    );
  });
});

it('slashes within a code of a file are scanned once', async () => {
  const { preview } = await surveyOf(`url,code\nhttps://example.com/,a${'/'.repeat(200 * KB)}b\n`);
  expect(preview.problems).toMatchObject([{ problem: expect.stringContaining('255 characters') }]);
});

it('texts that are too long are not normalized', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(accountNameProblem(normalizeName(MARKS))).toBe('A name can have at most 60 characters.');
  expect(codeInPath(MARKS)).toBeNull();
  expect(await verifyPassword(MARKS, null)).toBe(false);
  expect((await surveyOf(`url,code\nhttps://example.com/,${MARKS}\n`)).preview.ready).toBe(0);
  expect(Math.max(...normalize.mock.contexts.map((text) => String(text).length))).toBeLessThanOrEqual(KB);
});

it('a code with decomposed accents is composed', () => {
  const code = '\u1fa7'.repeat(255);
  expect(codeInPath(code.normalize('NFD'))).toBe(code);
});
