import fc from 'fast-check';
import papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { BYTE_ORDER_MARK, csvLine, plainCell } from '../src/csv.ts';

const text = fc.string({ unit: 'binary' });
const nearFormula = fc.stringMatching(/^[a;'" \t\r\n\u200B\uFEFF=+@＝＠-]{0,12}$/u);
const cells = fc.array(fc.oneof(text, nearFormula), { minLength: 2, maxLength: 5 });

/** Returns the first visible character of a cell. Quotes and invisible characters are skipped. */
const firstSign = (cell: string) => cell.replace(/^["\s\p{Cc}\p{Cf}]+/u, '').charAt(0);
const SIGNS = /[=+\-@＝＋－＠]/u;

describe('a line of CSV', () => {
  test('can store any text, which is read back unchanged', () => {
    fc.assert(
      fc.property(cells, (row) => {
        const { data } = papa.parse<string[]>(BYTE_ORDER_MARK + csvLine(row), { delimiter: ',', newline: '\r\n' });
        expect(data[0]?.map(plainCell)).toEqual(row);
      }),
    );
  });

  test.each([
    ['commas', (line: string) => papa.parse<string[]>(line, { delimiter: ',', newline: '\r\n' }).data.flat()],
    // Simulates spreadsheet programs that ignore quotes. In these programs, every separator or line break starts a
    // new cell.
    ['semicolons', (line: string) => line.split(/[;\r\n]/)],
    ['tabs', (line: string) => line.split(/[\t\r\n]/)],
  ])('starts no cell with a formula if cells are separated by %s', (_separator, read) => {
    fc.assert(
      fc.property(cells, (row) => {
        for (const cell of read(csvLine(row))) expect(firstSign(cell)).not.toMatch(SIGNS);
      }),
    );
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(1)', "'＠SUM(1)"],
    ['\u200B=1+1', "'\u200B=1+1"],
    ['\uFEFF@SUM(1)', "'\uFEFF@SUM(1)"],
    ['\t=1+1', `"'\t'=1+1"`],
    ["Rates;=cmd|' /C calc'!A0", `"Rates;'=cmd|' /C calc'!A0"`],
    ['Rates;"=1+1"', `"Rates;'""=1+1"""`],
    ['Rates\n=1+1', `"Rates\n'=1+1"`],
    ["'=1+1", "''=1+1"],
    ['a = b', 'a = b'],
    ['https://a.example/?b=c;d=e', '"https://a.example/?b=c;d=e"'],
    // The semicolon before `=x` is percent-encoded, so that spreadsheet programs do not treat `=x` as a formula. An
    // apostrophe before `=x` would change the URL.
    ['https://a.example/p;-1;=x;@2;a', '"https://a.example/p%3B-1%3B=x%3B@2;a"'],
  ])('contains %j as %s', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });

  test('keeps empty cells empty and numbers unchanged', () => {
    expect(csvLine([null, -1, 'a'])).toBe(',-1,a\r\n');
  });
});

test('a URL from another program keeps its apostrophes', () => {
  expect(plainCell("https://a.example/p;'=x")).toBe("https://a.example/p;'=x");
});

test('an apostrophe that is not before a formula is kept', () => {
  expect(plainCell("'tis; 'twas")).toBe("'tis; 'twas");
});
