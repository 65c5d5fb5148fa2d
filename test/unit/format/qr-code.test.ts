import { describe, expect, test } from 'vitest';
import { qrFileName, qrMatrix, qrPath, qrSvg } from '../../../src/format/qr-code.ts';
import { painted, readQr } from '../support/read-qr.ts';

const SHORT = 'https://go.example/Kx3f9Qp';
/** A short URL as long as the longest URL that the extension shortens. */
const LONGEST = `https://go.example/${'aZ0-_'.repeat(500)}`.slice(0, 2_048);

test('the path contains every dark module once, inside a margin of four modules', () => {
  const matrix = qrMatrix(SHORT);
  const drawn = [...qrPath(matrix).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].flatMap(([, x, y, length]) =>
    Array.from({ length: Number(length) }, (_, step) => `${Number(x) + step},${y}`),
  );
  const dark = matrix.flatMap((row, y) => row.flatMap((on, x) => (on ? [`${x},${y}`] : [])));
  expect(drawn.sort()).toEqual(dark.sort());
  expect(matrix.length).toBe(matrix[0]?.length);
  for (const edge of [0, 1, 2, 3]) {
    expect(matrix[edge]?.some(Boolean)).toBe(false);
    expect(matrix.some((row) => row[edge] || row[row.length - 1 - edge])).toBe(false);
  }
});

describe('a decoder reads the QR code', () => {
  test.each([
    ['a short URL', SHORT, 256],
    ['a short URL with non-Latin letters', 'https://go.example/例え-ß', 256],
    ['the longest short URL', LONGEST, 1024],
  ])('of %s', async (_what, url, size) => {
    const svg = await qrSvg(qrMatrix(url), size).text();
    expect(await readQr(painted(svg, size))).toMatchObject([{ text: url }]);
  });
});

test.each([
  ['https://go.example/Kx3f9Qp', 'M'],
  ['https://s.example/a', 'Q'],
])('the QR code of %s has the highest error correction level that fits its size', async (url, level) => {
  const svg = await qrSvg(qrMatrix(url), 256).text();
  expect(await readQr(painted(svg, 256))).toEqual([{ text: url, level }]);
});

test.each([
  ['https://go.example/Kx3f9Qp', 'qr-go.example-Kx3f9Qp.png'],
  ['http://127.0.0.1:8787/Kx3f9Qp', 'qr-127.0.0.1-8787-Kx3f9Qp.png'],
  ['https://go.example/../a?b/"c"', 'qr-go.example-..-a-b-c-.png'],
])('the file name of %s contains its short code', (shortUrl, name) => {
  expect(qrFileName(shortUrl, 'png')).toBe(name);
  expect(qrFileName(LONGEST, 'svg').length).toBeLessThan(110);
});
