import { ShortUrl } from '@terse/contract/shorten';
import { describe, expect, test } from 'vitest';
import { qrFileName, qrSvg } from '../../../src/format/qr-code.ts';
import { painted, readQr } from '../support/read-qr.ts';

const SHORT = 'https://go.example/Kx3f9Qp';
/** A short URL as long as the longest URL that the extension shortens. */
const LONGEST = `https://go.example/${'aZ0-_'.repeat(500)}`.slice(0, 2_048);

describe('a decoder reads the QR code', () => {
  test.each([
    ['a short URL', SHORT, 256],
    ['a short URL with non-Latin letters', 'https://go.example/例え-ß', 256],
    ['the longest short URL', LONGEST, 1024],
  ])('of %s', async (_what, url, size) => {
    expect(await readQr(painted(qrSvg(url), size))).toMatchObject([{ text: url }]);
  });
});

test('a short URL of a server that is too long for a QR code is not accepted', () => {
  const tooLong = `https://go.example/${'例'.repeat(800)}`;
  expect(() => qrSvg(tooLong)).toThrow();
  expect(ShortUrl.safeParse(tooLong).success).toBe(false);
});

test.each([
  ['https://go.example/Kx3f9Qp', 'M'],
  ['https://s.example/a', 'Q'],
])('the QR code of %s has the highest error correction level that fits its size', async (url, level) => {
  expect(await readQr(painted(qrSvg(url), 256))).toEqual([{ text: url, level }]);
});

test.each([
  ['https://go.example/Kx3f9Qp', 'qr-go.example-Kx3f9Qp.svg'],
  ['http://127.0.0.1:8787/Kx3f9Qp', 'qr-127.0.0.1-8787-Kx3f9Qp.svg'],
  ['https://go.example/../a?b/"c"', 'qr-go.example-..-a-b-c-.svg'],
])('the file name of %s contains its short code', (shortUrl, name) => {
  expect(qrFileName(shortUrl)).toBe(name);
  expect(qrFileName(LONGEST).length).toBeLessThan(110);
});
