import { expect, it } from 'vitest';
import { findSharedUrl } from '../../src/domain/links/shared-url.ts';

const isUsable = (url: string) => URL.parse(url)?.username === '';
const inText = (text: string) => findSharedUrl({ title: '', text, url: '' }, isUsable);

it.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['Look at this: https://example.com/a.', 'https://example.com/a'],
  ['An article\nhttps://example.com/a\n\nSent from my phone', 'https://example.com/a'],
  ['(see https://example.com/a), or not', 'https://example.com/a'],
  ['https://en.wikipedia.org/wiki/Rain_(river)', 'https://en.wikipedia.org/wiki/Rain_(river)'],
  ['(https://en.wikipedia.org/wiki/Rain_(river))…', 'https://en.wikipedia.org/wiki/Rain_(river)'],
  ['“https://example.com/a”', 'https://example.com/a'],
  ['<https://example.com/a>', 'https://example.com/a'],
  ['記事https://example.com/a。', 'https://example.com/a'],
  ['HTTPS://EXAMPLE.COM/A', 'HTTPS://EXAMPLE.COM/A'],
  ['www.example.com/a!', 'https://www.example.com/a'],
  ['https://example.com/a https://example.org/b', 'https://example.com/a'],
  ['https://[bad https://example.com/1', 'https://example.com/1'],
  ['https://u:p@example.com/ https://good.example/', 'https://good.example/'],
  ['https://[bad https://u:p@example.com/', 'https://[bad'],
])('finds the URL in %j', (text, url) => {
  expect(inText(text)).toBe(url);
});

it.each(['', 'no address', 'javascript:alert(1)', 'mailto:a@example.com', 'awww.example', 'https://', 'file:///etc'])(
  'finds no URL in %j',
  (text) => {
    expect(inText(text)).toBeNull();
  },
);

it('prefers the shared URL to the text, and the text to the title', () => {
  const [title, text, url] = ['https://a.example/', 'see https://b.example/', 'https://c.example/'];
  expect(findSharedUrl({ title, text, url }, isUsable)).toBe('https://c.example/');
  expect(findSharedUrl({ title, text, url: '' }, isUsable)).toBe('https://b.example/');
  expect(findSharedUrl({ title, text: 'nothing', url: '' }, isUsable)).toBe('https://a.example/');
});

it('finds URLs in long texts in little time', () => {
  expect(inText(`https://example.com/${'.)'.repeat(100_000)}`)).toBe('https://example.com/');
  expect(inText(`${'https://[ '.repeat(10_000)}https://example.com/`)).toBe('https://example.com/');
});
