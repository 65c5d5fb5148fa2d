import { describe, expect, test } from 'vitest';
import { pageTarget, typedTarget } from '../../../src/ui/target.ts';

const SHORT = 'https://go.example';

describe('pageTarget', () => {
  test.each([
    ['https://example.org/a?b#c', { url: 'https://example.org/a?b#c' }],
    ['http://localhost:3000/', { url: 'http://localhost:3000/' }],
    ['https://addons.mozilla.org/firefox/', { url: 'https://addons.mozilla.org/firefox/' }],
    ['https://go.example.org/x', { url: 'https://go.example.org/x' }],
    ['about:reader?url=https%3A%2F%2Fexample.org%2Fa', { url: 'https://example.org/a' }],
    ['about:reader?url=javascript%3Aalert(1)', { blocked: 'browser' }],
    [undefined, { blocked: 'unknown' }],
    ['', { blocked: 'unknown' }],
    ['chrome://settings/', { blocked: 'browser' }],
    ['about:blank', { blocked: 'browser' }],
    ['view-source:https://example.org/', { blocked: 'browser' }],
    ['devtools://devtools/bundled/x.html', { blocked: 'browser' }],
    ['chrome-extension://abc/src/options/index.html', { blocked: 'extension' }],
    ['moz-extension://abc/src/options/index.html', { blocked: 'extension' }],
    ['file:///home/me/notes.txt', { blocked: 'file' }],
    ['data:text/html,hi', { blocked: 'scheme' }],
    ['javascript:alert(1)', { blocked: 'scheme' }],
    ['https://go.example/Kx3f9Qp', { blocked: 'own_short_link' }],
    ['https://GO.example:443/Kx3f9Qp', { blocked: 'own_short_link' }],
  ])('%s', (url, expected) => {
    expect(pageTarget(url, SHORT)).toEqual(expected);
  });

  test('without a known service nothing is its short URL', () => {
    expect(pageTarget('https://go.example/Kx3f9Qp', undefined)).toEqual({ url: 'https://go.example/Kx3f9Qp' });
  });
});

describe('typedTarget', () => {
  test.each([
    ['  https://example.org/a  ', { url: 'https://example.org/a' }],
    ['example.org/a', { url: 'https://example.org/a' }],
    ['example.org:8443/a', { url: 'https://example.org:8443/a' }],
    ['localhost:3000', { url: 'https://localhost:3000/' }],
    ['HTTP://example.org', { url: 'http://example.org/' }],
    ['[::1]/x', { url: 'https://[::1]/x' }],
    ['例え.jp', { url: 'https://xn--r8jz45g.jp/' }],
    ['', { blocked: 'not_a_url' }],
    ['hello', { blocked: 'not_a_url' }],
    ['two words.org', { blocked: 'not_a_url' }],
    ['https://', { blocked: 'not_a_url' }],
    ['javascript:alert(1)', { blocked: 'scheme' }],
    ['mailto:me@example.org', { blocked: 'scheme' }],
    ['ftp://example.org/x', { blocked: 'scheme' }],
    ['go.example/Kx3f9Qp', { blocked: 'own_short_link' }],
  ])('%s', (text, expected) => {
    expect(typedTarget(text, SHORT)).toEqual(expected);
  });
});
