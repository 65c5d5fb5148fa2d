import { afterEach, expect, it, vi } from 'vitest';
import { accountNameProblem, normalizeName } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { verifyPassword } from '../../src/domain/accounts/passwords.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { codeInPath } from '../../src/domain/links/short-codes.ts';
import { previewImport } from '../../src/import/preview-import.ts';
import { SQL_STATEMENT, sqlDumpProblem } from '../../src/import/readers/detect-file-type.ts';
import { readTabs } from '../../src/import/readers/table-dump-reader.ts';
import { readText } from '../../src/import/readers/text-encoding.ts';
import { fileOf } from '../support/imports.ts';

const KB = 1024;
/** Many combining marks. Normalizing them takes quadratic time. */
const MARKS = `a${'\u0301\u0316'.repeat(60 * KB)}`;
const rules = {
  targets: { ownUrls: [], allowPrivate: false, maxUrlBytes: 8192, blocks: () => false },
  shortBaseUrls: ['https://t.example'] as const,
  foldsCase: false,
  random: systemRandom,
  mayUseReserved: true,
};
const preview = (text: string) => previewImport(fileOf(text), rules, Date.UTC(2026, 6, 1));

afterEach(() => vi.restoreAllMocks());

/** Returns the number of characters that reading a table splits or matches. */
async function charactersScanned(table: string): Promise<number> {
  const split = vi.spyOn(String.prototype, 'split');
  const test = vi.spyOn(RegExp.prototype, 'test');
  for await (const _ of readTabs(readText(fileOf(table), 'utf-8')));
  const scanned = [
    ...split.mock.contexts.map((text) => String(text).length),
    ...test.mock.calls.map(([text]) => text.length),
  ];
  vi.restoreAllMocks();
  return scanned.reduce((sum, length) => sum + length, 0);
}

it.each([
  ['lines that end in a backslash', 'a\\\n'],
  ['one long line', 'abc'],
  ['empty lines', '\r\n\n'],
])('a table of %s is scanned twice at most', async (_, part) => {
  const table = `url\tcode\n${part.repeat(60 * KB)}`;
  expect(await charactersScanned(table)).toBeLessThan(2 * table.length + 2 * KB);
});

it('a row of a table has a maximum length, its continuation lines included', async () => {
  await expect(preview(`url\tcode\n${'a\\\n'.repeat(300 * KB)}`)).rejects.toThrow('row that is too long');
});

it('a cell may hold line breaks and backslashes', async () => {
  const rows = [];
  for await (const row of readTabs(readText(fileOf('a\\\nb\tc\\\\\nd\\\\\\\ne\r\n\\\n'), 'utf-8'))) rows.push(row);
  expect(rows).toEqual([
    { line: 1, cells: ['a\nb', 'c\\'] },
    { line: 3, cells: ['d\\\ne'] },
    { line: 5, cells: [''] },
  ]);
});

it('an SQL statement is found after blank lines, which are scanned once', () => {
  expect(SQL_STATEMENT.exec(`${'\n'.repeat(16 * KB)}INSERT INTO x`)?.index).toBe(16 * KB);
  expect(sqlDumpProblem('\n \n  INSERT INTO my_url (keyword, url) VALUES')).toContain('YOURLS');
});

it('slashes within a code are scanned once', async () => {
  const { problems } = await preview(`url,code\nhttps://example.com/,a${'/'.repeat(200 * KB)}b\n`);
  expect(problems).toMatchObject([{ problem: expect.stringContaining('255 characters') }]);
});

it('texts that are too long are not normalized', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(accountNameProblem(normalizeName(MARKS))).toBe('A name can have at most 60 characters.');
  expect(codeInPath(MARKS)).toBeNull();
  expect(await verifyPassword(MARKS, null)).toBe(false);
  expect((await preview(`url,code\nhttps://example.com/,${MARKS}\n`)).ready).toBe(0);
  expect(Math.max(...normalize.mock.contexts.map((text) => String(text).length))).toBeLessThanOrEqual(KB);
});

it('a code with decomposed accents is composed', () => {
  const code = '\u1fa7'.repeat(255);
  expect(codeInPath(code.normalize('NFD'))).toBe(code);
});
