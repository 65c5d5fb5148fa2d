import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { FileProblem, type ImportFile, MAX_ROWS } from '../../src/import/import-file.ts';
import { previewImport } from '../../src/import/preview-import.ts';
import { readCsv } from '../../src/import/read-records.ts';
import { readText } from '../../src/import/text-encoding.ts';
import { fileOf } from '../support/imports.ts';

const MB = 1024 * 1024;

const rules = {
  targets: { ownUrls: [], allowPrivate: false, maxUrlBytes: 8192, blocks: () => false },
  shortBaseUrls: ['https://t.example'] as const,
  foldsCase: false,
  random: systemRandom,
  mayUseReserved: true,
};
const previewFile = (file: ImportFile) => previewImport(file, rules, Date.UTC(2026, 6, 1));

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

async function rowsOf(text: string) {
  const rows = [];
  for await (const row of readCsv(readText(fileOf(text), 'utf-8'), { delimiter: ',', header: 1 })) rows.push(row);
  return rows;
}
const linesOf = async (text: string) => (await rowsOf(text)).map(({ line }) => line);
const problemOf = (file: ImportFile) =>
  previewFile(file).then(
    () => null,
    (error) => (error instanceof FileProblem ? error.message : Promise.reject(error)),
  );

describe('a file', () => {
  it('with too many rows is read only up to the first row beyond the limit', async () => {
    const file = fileOf(`url\n${'a\n'.repeat(2_000_000)}`);
    expect(await problemOf(file)).toBe('This file has more than 200,000 rows. Split it into smaller files.');
    expect(file.bytesRead).toBeLessThan(file.size + MB);
  });

  it('can have the maximum number of rows', async () => {
    expect(await previewFile(fileOf(`url\n${'a\n'.repeat(MAX_ROWS)}`))).toMatchObject({ total: MAX_ROWS });
  });

  it('lets other work run while it is read', async () => {
    const file = fileOf(`url,title\n${'https://example.com/,A title\n'.repeat(150_000)}`);
    expect(await ticksDuring(previewFile(file))).toBeGreaterThan(file.size / (32 * 1024));
  });

  it.each([
    ['table with a long cell', `url,code\n"${'x\n'.repeat(MB)}",a\nhttps://one.example/,b\n`, [2, MB + 3]],
    ['table with a row of commas', `url\n${','.repeat(2 * MB)}\nhttps://one.example/\n`, [2, 3]],
    ['list', `[{"url":"${'x'.repeat(2 * MB)}"},{"url":"https://one.example/"}]`, [1, 2]],
    ['response', `{"data":[{"x":[${'1,'.repeat(MB)}1]},{"url":"https://one.example/"}]}`, [1, 2]],
  ])('that is a %s is imported without the row that is too long', async (_, text, [bad, good]) => {
    const { ready, problems, first } = await previewFile(fileOf(text));
    expect(problems).toEqual([{ problem: 'This row is longer than 262,144 characters.', links: 1, at: bad }]);
    expect([ready, first.at(-1)?.at]).toEqual([1, good]);
  });

  it.each([
    ['quoted cell', `url\nfine\n"${'x\n'.repeat(12 * MB)}`, 'line 3'],
    ['quoted name', `"${'x\n'.repeat(12 * MB)}`, 'line 1'],
    ['list of lists', `[${'['.repeat(16 * MB)}`, 'entry 1'],
    ['page of pages', '{"data":'.repeat(2 * MB), 'entry 1'],
    ['value', `[{"url":"https://one.example/"},{"url":"${'x'.repeat(16 * MB)}`, 'entry 2'],
    ['response', `{"links":[{"url":"https://one.example/"}],"more":"${'x'.repeat(16 * MB)}`, 'entry 2'],
  ])('with a %s without end is refused early', async (_, text, start) => {
    const file = fileOf(text);
    expect(await problemOf(file)).toBe(
      `What starts at ${start} of this file is longer than 8 million characters. A quotation mark may be missing there.`,
    );
    expect(file.bytesRead).toBeLessThan(2 * file.size);
  });

  it.each([
    ['objects in objects', `[{"url":"https://one.example/","x":${'{"x":'.repeat(30_000)}1${'}'.repeat(30_000)}}]`],
    ['names', `[{"url":"https://one.example/"${Array.from({ length: 15_000 }, (_, at) => `,"x${at}":1`).join('')}}]`],
    ['columns', `url${',x'.repeat(100_000)}\nhttps://one.example/\n${'a\n'.repeat(50_000)}`],
  ])('with very many %s can be read', async (_, text) => {
    expect(await problemOf(fileOf(text))).toBeNull();
  });

  it.each(['<?xml version="1.0"?><rss></rss>', '<redirection/>'])('of XML is refused', async (text) => {
    expect(await problemOf(fileOf(text))).toBe('XML files cannot be imported. Export the links as CSV or JSON.');
  });

  it('has a fingerprint of its content', async () => {
    const fingerprint = async (text: string) => (await previewFile(fileOf(text))).source.fingerprint;
    expect(await fingerprint('url\na\n')).toEqual(await fingerprint('url\na\n'));
    expect(await fingerprint('url\na\n')).not.toEqual(await fingerprint('url\nb\n'));
  });

  it.each<[string, (string | Uint8Array<ArrayBuffer>)[], string]>([
    ['a zero byte', ['url\n', new Uint8Array([0])], 'This file is not text. Choose a CSV or JSON file.'],
    [
      'an invalid byte between valid lines',
      ['url\né\n', new Uint8Array([0xff]), '\n'],
      'This file mixes text encodings: see line 3. Save it as UTF-8.',
    ],
  ])('is not text if it contains %s', async (_, parts, problem) => {
    expect(await problemOf(fileOf(...parts))).toBe(problem);
  });

  it('is read to its end if its last character is incomplete', async () => {
    expect(await problemOf(fileOf('url,title\nhttps://example.com/,é', new Uint8Array([0xe2, 0x82])))).toBeNull();
  });

  it('can have multi-byte characters at any position', async () => {
    const text = `url\n${'€'.repeat(20_000)}\n`;
    expect(await rowsOf(text)).toMatchObject([{}, { cells: ['€'.repeat(20_000)] }]);
    expect(await problemOf(fileOf(text))).toBeNull();
  });
});

describe('a row’s line', () => {
  it.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('is the line where it starts, with line breaks of %s, also within cells', async (_, end) => {
    const text = ['url,title', 'a,"x', 'y', '', 'z"', '', 'b,t', '"1', '2",t', 'c,t', ''].join(end);
    expect(await linesOf(text)).toEqual([1, 2, 7, 8, 10]);
  });

  it('is correct with mixed line breaks', async () => {
    expect(await linesOf('url,title\r\na,"x\ny\r\nz"\nb,t\r\n\n"1\r2\r\n3",t\r\nc,t')).toEqual([1, 2, 5, 7, 10]);
  });

  it('is correct wherever the file is split for reading', async () => {
    const row = 'a,"x\r\ny"\r\n';
    for (let shift = 0; shift < row.length; shift += 1) {
      const lines = await linesOf(`url,${'t'.repeat(shift)}\r\n${row.repeat(5000)}`);
      expect(lines).toHaveLength(5001);
      expect(lines.slice(1).every((line, at) => line === 2 + 2 * at)).toBe(true);
    }
  });

  it('is in the message if the rest of a file cannot be read', async () => {
    const bad = 'url\r\n"a\r\nb"\r\nc\r\n"x" y\r\n';
    expect(await problemOf(fileOf(bad))).toBe(
      'This file is not valid CSV: what follows line 4 cannot be read. Correct the quotes there.',
    );
    expect(await problemOf(fileOf('"url" y\n'))).toBe(
      'This file is not valid CSV: its first line cannot be read. Correct the quotes there.',
    );
  });
});
