import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, plainCell } from '../../src/dashboard/csv.ts';
import { findColumns } from '../../src/dashboard/import/columns.ts';

const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^'*[=+\-@\t\r]'?[a-z,"\n]*$/));

describe('a line of CSV', () => {
  it('holds any text, and gives it back', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
        const [back = []] = parse(csvLine(cells), { skip_empty_lines: false, record_delimiter: '\r\n' }) as string[][];
        expect(back.map(plainCell)).toEqual(cells);
      }),
    );
  });

  it('starts no cell in a way that a spreadsheet takes for a formula', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
        const [back = []] = parse(csvLine(cells), { record_delimiter: '\r\n' }) as string[][];
        for (const text of back) expect(text).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});

describe('the columns of a file', () => {
  it.each([
    [
      'shortCode,shortUrl,url,title,createdAt,expiresAt,clicks',
      { code: 0, url: 2, title: 3, createdAt: 4, expiresAt: 5 },
    ],
    ['createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits', { createdAt: 0, code: 2, url: 4, title: 5 }],
    ['Long URL,Short code,Title', { url: 0, code: 1, title: 2 }],
    ['id,address,banned,description,password,target', { code: 1, banned: 2, title: 3, password: 4, url: 5 }],
    ['keyword,url,title,timestamp,ip,clicks', { code: 0, url: 1, title: 2, createdAt: 3 }],
    ['source,target,hits', { code: 0, url: 1 }],
  ])('%s are known by their names', (header, expected) => {
    expect(Object.fromEntries(findColumns(header.split(',')) ?? [])).toEqual(expected);
  });

  it('without long URLs are none', () => {
    expect(findColumns(['shortUrl', 'title'])).toBeNull();
  });
});
