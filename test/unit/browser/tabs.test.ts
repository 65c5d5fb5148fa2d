import { expect, test } from 'vitest';
import { pageTitle } from '../../../src/browser/tabs.ts';

// Titles that Chromium and Firefox report for pages without a title.
test.each([
  ['https://www.example.com/', 'www.example.com'],
  ['http://www.example.com/a/', 'www.example.com/a/'],
  ['https://www.example.com/a', 'https://www.example.com/a'],
  ['http://127.0.0.1:8080/%C3%BC?q=a%20b&c=%2F#d', '127.0.0.1:8080/ü?q=a b&c=%2F#d'],
  ['http://127.0.0.1:8080/%C3%BC?q=a%20b&c=%2F#d', '127.0.0.1:8080/%C3%BC?q=a%20b&c=%2F#d'],
  ['https://www.example.com/?a%5B%5D=%7C', 'www.example.com/?a[]=|'],
  ['https://xn--krz-hoa.example/a', 'kürz.example/a'],
])('a tab that shows the URL %s instead of a title has no title: %s', (url, title) => {
  expect(pageTitle({ url, title })).toBe('');
});

test.each([
  ['https://www.example.com/a', 'www.example.com'],
  ['https://www.example.com/%', 'About otters'],
  ['https://www.example.com/', '%'],
  ['about:license', 'Licenses'],
  ['', 'About otters'],
  ['', ''],
])('a tab at %s keeps its title: %s', (url, title) => {
  expect(pageTitle({ url, title })).toBe(title);
});
