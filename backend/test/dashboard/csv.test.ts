import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, plainCell } from '../../src/dashboard/csv.ts';

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
