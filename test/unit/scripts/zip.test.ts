import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, zipFiles } from '../../../scripts/build/zip.ts';

test('a zip has the same order and attributes on every machine, and all users can read its files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'terse-zip-'));
  mkdirSync(join(folder, 'b'));
  for (const path of ['b/two.txt', 'b.txt', 'a.txt']) writeFileSync(join(folder, path), path);
  const zip = Buffer.from(zipFiles(readFiles(folder)));
  // The central directory, with the lengths of the name, of extra fields and of the comment.
  const entries = [];
  for (let at = zip.indexOf('PK\x01\x02'); zip.toString('latin1', at, at + 4) === 'PK\x01\x02'; ) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const [system, mode, modified] = [zip[at + 5], zip.readUInt16LE(at + 40), zip.readUInt32LE(at + 12)];
    entries.push({ path: zip.toString('utf8', at + 46, at + 46 + name), system, mode, modified, extra });
    at += 46 + name + extra + comment;
  }
  // System 3 is Unix. The time is the earliest that a zip file can contain.
  const plain = { system: 3, mode: 0o100644, modified: 0x210000, extra: 0 };
  expect(entries).toEqual(['a.txt', 'b.txt', 'b/two.txt'].map((path) => ({ path, ...plain })));
});
