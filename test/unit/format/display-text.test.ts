import { expect, test } from 'vitest';
import { connectionNames, displayText, displayUrl, otherHost } from '../../../src/format/display-text.ts';
import { isWebUrl } from '../../../src/urls/shortenable-url-rules.ts';
import { CONNECTION, SECOND_CONNECTION, SPEC_ONLY } from '../../gallery/fixtures.ts';

test.each([
  ['https://go.example/x', true],
  ['http://localhost:8788/x', true],
  ['javascript:alert(1)', false],
  ['JAVASCRIPT:alert(1)//https://x.example', false],
  ['', false],
])('isWebUrl accepts only web URLs: “%s”', (url, expected) => {
  expect(isWebUrl(url)).toBe(expected);
});

test.each([
  ['https://example.org/', { host: 'example.org', rest: '' }],
  ['https://example.org:8443/a?b=c#d', { host: 'example.org:8443', rest: '/a?b=c#d' }],
  ['https://example.jp/%E6%9D%B1', { host: 'example.jp', rest: '/東' }],
  ['https://example.org/%E2%80%AEgpj.exe', { host: 'example.org', rest: '/%E2%80%AEgpj.exe' }],
  ['https://example.org/100%', { host: 'example.org', rest: '/100%' }],
  ['javascript:alert(1)', { host: '', rest: 'javascript:alert(1)' }],
  ['https://xn--krz-hoa.example:81/a', { host: 'kürz.example:81', rest: '/a' }],
  ['https://xn--80ak6aa92e.com/', { host: 'xn--80ak6aa92e.com', rest: '' }],
])('displayUrl splits %s into host and rest', (url, expected) => {
  expect(displayUrl(url)).toEqual(expected);
});

test.each([
  ['https://go.example/abc', CONNECTION, null],
  ['https://tiny.elsewhere.example/abc', CONNECTION, 'tiny.elsewhere.example'],
  ['https://links.example.com/abc', CONNECTION, 'links.example.com'],
  ['https://go.example/abc', SPEC_ONLY, null],
  ['https://tiny.elsewhere.example/abc', SPEC_ONLY, 'tiny.elsewhere.example'],
  ['https://tiny.elsewhere.example/abc', undefined, 'tiny.elsewhere.example'],
])('otherHost of %s', (url, connection, expected) => {
  expect(otherHost({ shortUrl: url }, connection)).toBe(expected);
});

test('a connection is shown by its name or host, and connections with the same host also by the end of their keys', () => {
  const twin = { ...CONNECTION, id: 'connection-3', lastFour: 'a1B2' };
  expect([...connectionNames([CONNECTION, SECOND_CONNECTION]).values()]).toEqual(['links.example.com', 'Work']);
  expect([...connectionNames([CONNECTION, twin]).values()]).toEqual([
    'links.example.com (…x7Qd)',
    'links.example.com (…a1B2)',
  ]);
});

test('foreign text is shortened, and cannot reverse the text around it', () => {
  expect(displayText('a\u202Efdp.exe\u202C \u2066b\u2069')).toBe('afdp.exe b');
  expect(displayText('x'.repeat(100_000))).toHaveLength(1_000);
  expect(displayText('\u200F \u200B\u00AD\u3164', 'https://a.example/')).toBe('https://a.example/');
  expect(displayText('👩\u200D🌾')).toBe('👩\u200D🌾');
});
