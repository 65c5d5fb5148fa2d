import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8 } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFiles, zipFiles } from '../../../scripts/build/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'terse-zip-'));
beforeAll(() => {
  mkdirSync(join(folder, 'b', 'inner'), { recursive: true });
  writeFileSync(join(folder, 'b', 'inner', 'two.txt'), 'two');
  writeFileSync(join(folder, 'b.txt'), 'between');
  writeFileSync(join(folder, 'a.txt'), 'one');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the entries of a zip file's central directory in order, as `unzip -Z` lists them. */
function directory(zip: Uint8Array) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  let at = view.getUint32(end + 16, true);
  return Array.from({ length: view.getUint16(end + 10, true) }, () => {
    const [name, extra] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const entry = {
      path: strFromU8(zip.subarray(at + 46, at + 46 + name)),
      system: view.getUint8(at + 5),
      mode: (view.getUint32(at + 38, true) >>> 16).toString(8),
      modified: view.getUint32(at + 12, true),
      extra,
    };
    at += 46 + name + extra + view.getUint16(at + 32, true);
    return entry;
  });
}

describe('a zip', () => {
  test('has the same attributes on every machine, and all users can read its files', () => {
    const entries = directory(zipFiles(readFiles(folder)));
    expect(entries.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'b/inner/two.txt']);
    for (const { system, mode, modified, extra } of entries) {
      // System 3 is Unix. The time is the earliest that a zip file can contain.
      expect({ system, mode, modified, extra }).toEqual({ system: 3, mode: '100644', modified: 0x210000, extra: 0 });
    }
  });
});
