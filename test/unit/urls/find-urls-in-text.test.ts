import { expect, test } from 'vitest';
import { findUrlsInText } from '../../../src/urls/find-urls-in-text.ts';

test.each([
  ['an empty text', '', []],
  ['only words', 'How to read a river. It takes years, e.g. forty.', []],
  ['a single URL', ' https://a.example/x ', ['https://a.example/x']],
  ['a line with a URL without a scheme', 'a.example/x\n', ['https://a.example/x']],
  ['a sentence', 'See https://a.example/x?y=1, or not.', ['https://a.example/x?y=1']],
  ['brackets', '(see https://a.example/x)', ['https://a.example/x']],
  ['a URL with brackets', '(https://a.example/Rain_(river))', ['https://a.example/Rain_(river)']],
  ['an IPv6 address', 'at http://[::1], say', ['http://[::1]/']],
  ['quotes', '"https://a.example/x" and “www.b.example/y”', ['https://a.example/x', 'https://www.b.example/y']],
  ['markup', '<a href="https://a.example/x">x</a>', ['https://a.example/x']],
  ['Markdown', '[A](https://a.example/x) and <https://b.example>', ['https://a.example/x', 'https://b.example/']],
  ['a list', '1. https://a.example/\n2. https://b.example/\n', ['https://a.example/', 'https://b.example/']],
  ['lines of URLs', 'a.example\r\nb.example/y', ['https://a.example/', 'https://b.example/y']],
  ['a table', 'A,https://a.example/x,https://b.example/y;1', ['https://a.example/x', 'https://b.example/y;1']],
  ['a text with a duplicate', 'https://a.example HTTPS://A.example/', ['https://a.example/']],
  [
    'a URL with another URL',
    'https://archive.example/2020/https://a.example/x',
    ['https://archive.example/2020/https://a.example/x'],
  ],
  [
    'Japanese',
    '詳細は「https://a.example/x」。https://b.example/例、',
    ['https://a.example/x', 'https://b.example/%E4%BE%8B'],
  ],
  ['a URL with user info, which is removed later', 'https://me:pw@a.example/', ['https://me:pw@a.example/']],
  ['e-mail and other schemes', 'me@a.example mailto:me@a.example ftp://a.example/x', []],
  ['an incomplete URL', 'https:// and www.', []],
])('finds the URLs in %s', (_what, text, found) => {
  expect(findUrlsInText(text)).toEqual(found);
});

test('is fast for many closing brackets', () => {
  expect(findUrlsInText(`https://a.example/x${')'.repeat(300_000)}`)).toEqual(['https://a.example/x']);
});
