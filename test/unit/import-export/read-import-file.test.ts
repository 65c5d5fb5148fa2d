import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Contents, MAX_CONNECTIONS, readFile } from '../../../src/import-export/import-file.ts';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../../src/import-export/import-limits.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 42);
/** Files of other services, which the service can import. */
const SAMPLES = 'backend/test/fixtures/imports/';

async function contentsOf(bytes: string | Uint8Array<ArrayBuffer>): Promise<Contents> {
  const read = await readFile(new Blob([bytes]), NOW);
  if ('problem' in read) throw new Error(read.problem);
  return read.contents;
}

const problemOf = async (bytes: string | Uint8Array<ArrayBuffer>) => {
  const read = await readFile(new Blob([bytes]), NOW);
  return 'problem' in read ? read.problem : null;
};

const INSTANT = new Date(NOW).toISOString();
const ENVELOPE = { format: 'terse-export', version: 1, exportedAt: INSTANT, settings: {} };
const LINK = {
  id: 'a',
  url: 'https://x.example/',
  title: '',
  shortUrl: 'https://s.example/a',
  shortCode: 'a',
  createdAt: INSTANT,
  expiresAt: null,
};
const CONNECTION = { id: 'c', name: '', baseUrl: 'https://links.example.com' };
const exportOf = (lists: { connections?: unknown[]; links?: unknown[] }) =>
  JSON.stringify({ ...ENVELOPE, connections: [], links: [], ...lists });

test('a file with a byte order mark is read', async () => {
  const { links } = await contentsOf(`\uFEFF${exportOf({ links: [{ ...LINK, title: 'Käse für 5 €' }] })}`);
  expect(links).toMatchObject([{ title: 'Käse für 5 €' }]);
});

test('a creation date in the future becomes the current time', async () => {
  const { links } = await contentsOf(exportOf({ links: [{ ...LINK, createdAt: '2099-12-31T00:00:00Z' }] }));
  expect(links).toMatchObject([{ createdAt: NOW }]);
});

describe('an entry is skipped and counted', () => {
  test.each([
    ['without its properties', { id: 'b' }],
    ['whose long URL is not a web address', { ...LINK, id: 'b', url: 'javascript:alert(1)' }],
    ['whose short URL is not a web address', { ...LINK, id: 'b', shortUrl: 'javascript:alert(1)' }],
    ['with a long URL that is too long', { ...LINK, id: 'b', url: `https://x.example/${'a'.repeat(33_000)}` }],
    [
      'with a short URL that is too long for a QR code',
      { ...LINK, id: 'b', shortUrl: `https://s.example/${'a'.repeat(3_000)}` },
    ],
    ['with a date that does not exist', { ...LINK, id: 'b', createdAt: '2026-02-30T00:00:00Z' }],
  ])('a link %s', async (_what, bad) => {
    const { links, skipped } = await contentsOf(exportOf({ connections: [CONNECTION], links: [LINK, bad] }));
    expect(links).toMatchObject([{ id: 'a' }]);
    expect(skipped).toBe(1);
  });

  test('if it is a connection without encryption or beyond the maximum, and the other entries are kept', async () => {
    const connections = Array.from({ length: MAX_CONNECTIONS + 2 }, (_, index) => ({ ...CONNECTION, id: `${index}` }));
    connections.unshift({ ...CONNECTION, baseUrl: 'http://insecure.example' });
    const contents = await contentsOf(exportOf({ connections, links: [LINK] }));
    expect(contents.connections).toHaveLength(MAX_CONNECTIONS);
    expect(contents).toMatchObject({ links: [{ id: 'a' }], skipped: 3 });
  });
});

describe('a file is refused as a whole', () => {
  test.each([
    ['nothing', '', 'not_an_export'],
    ['white space', ' \n ', 'not_an_export'],
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff]), 'not_an_export'],
    ['truncated JSON', '{"format": "terse-export", "links": [', 'broken_json'],
    ['an export without its lists', '{"format": "terse-export", "version": 1}', 'broken_json'],
    [
      'an export of a later version',
      '{"format":"terse-export","version":2,"exportedAt":"","settings":{},"connections":[],"links":[]}',
      'newer_version',
    ],
    ['JSON with other data', '{"name": "terse", "version": "1.0.0"}', 'not_an_export'],
    ['deeply nested JSON', '['.repeat(100_000) + ']'.repeat(100_000), 'not_an_export'],
    ['a table of long and short URLs', 'url,shortUrl\nhttps://x.example,https://s.example/1', 'not_an_export'],
    ['a quote that never ends', 'url,shortUrl\n"https://x.example,https://s.example/1\n', 'not_an_export'],
    ['too many lines', `url,shortUrl\n${'\n,'.repeat(5 * MAX_ENTRIES)}`, 'not_an_export'],
    ['too many entries', exportOf({ links: Array(MAX_ENTRIES + 1).fill(1) }), 'too_much'],
  ])('if it contains %s', async (_name, bytes, problem) => {
    expect(await problemOf(bytes)).toBe(problem);
  });

  test.each(readdirSync(SAMPLES).filter((name) => /\.(csv|json|txt)$/.test(name)))(
    'if another service exported it: %s',
    async (name) => {
      expect(await problemOf(readFileSync(SAMPLES + name))).toBe('not_an_export');
    },
  );

  test('if it is too large, without being read', async () => {
    const file = { size: MAX_FILE_SIZE + 1, text: () => Promise.reject(new Error('The file was read.')) };
    expect(await readFile(file, NOW)).toEqual({ problem: 'too_much' });
  });

  test('if it no longer exists', async () => {
    const file = { size: 1, text: () => Promise.reject(new DOMException('Gone', 'NotFoundError')) };
    expect(await readFile(file, NOW)).toEqual({ problem: 'unreadable' });
  });
});
