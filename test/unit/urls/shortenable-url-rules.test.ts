import { describe, expect, test } from 'vitest';
import { MAX_URL_LENGTH, pageTarget, typedTarget } from '../../../src/urls/shortenable-url-rules.ts';

const isOwn = ({ host }: URL) => host === 'go.example';
const is = (url: string, userInfoRemoved = false) => ({ url, userInfoRemoved });

describe('pageTarget', () => {
  test.each([
    ['https://example.org/a?b#c', is('https://example.org/a?b#c')],
    ['http://localhost:3000/', is('http://localhost:3000/')],
    ['https://addons.mozilla.org/firefox/', is('https://addons.mozilla.org/firefox/')],
    ['https://go.example.org/x', is('https://go.example.org/x')],
    ['about:reader?url=https%3A%2F%2Fexample.org%2Fa', is('https://example.org/a')],
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
  ])('%s', (url, expected) => {
    expect(pageTarget(url, isOwn)).toEqual(expected);
  });

  test.each([
    ['http://alice:secret@intranet.example/report?x#y', 'http://intranet.example/report?x#y'],
    ['https://alice@intranet.example/', 'https://intranet.example/'],
    ['about:reader?url=https%3A%2F%2Falice%3Asecret%40example.org%2Fa', 'https://example.org/a'],
  ])('removes user info from %s', (url, bare) => {
    expect(pageTarget(url, isOwn)).toEqual(is(bare, true));
  });
});

describe('typedTarget', () => {
  test.each([
    ['  https://example.org/a  ', is('https://example.org/a')],
    ['example.org/a', is('https://example.org/a')],
    ['example.org:8443/a', is('https://example.org:8443/a')],
    ['localhost:3000/x', is('http://localhost:3000/x')],
    ['127.0.0.1:8788', is('http://127.0.0.1:8788/')],
    ['app.localhost', is('http://app.localhost/')],
    ['[::1]/x', is('http://[::1]/x')],
    ['localhost.example.org', is('https://localhost.example.org/')],
    ['HTTP://example.org', is('http://example.org/')],
    ['例え.jp', is('https://xn--r8jz45g.jp/')],
    ['https://example.org/@someone', is('https://example.org/@someone')],
    ['example.org/@someone', is('https://example.org/@someone')],
    ['https://alice:secret@example.org/a', is('https://example.org/a', true)],
    ['//example.org/a', is('https://example.org/a')],
    ['/index.html', { blocked: 'not_a_url' }],
    ['./example.org/a', { blocked: 'not_a_url' }],
    ['?x=1.5', { blocked: 'not_a_url' }],
    ['index.html', { blocked: 'not_a_url' }],
    ['page.php?x=1', { blocked: 'not_a_url' }],
    ['photos.JPG#top', { blocked: 'not_a_url' }],
    ['php.example/index.php?x=1', is('https://php.example/index.php?x=1')],
    ['https://intranet.html/', is('https://intranet.html/')],
    ['', { blocked: 'not_a_url' }],
    ['hello', { blocked: 'not_a_url' }],
    ['two words.org', { blocked: 'not_a_url' }],
    ['https://example.org/docs/Annual Report 2024.pdf', is('https://example.org/docs/Annual%20Report%202024.pdf')],
    ['example.org/docs/Annual Report.pdf', is('https://example.org/docs/Annual%20Report.pdf')],
    ['https://example.org/wiki/Airplane!', is('https://example.org/wiki/Airplane!')],
    ['http://wiki/Home', is('http://wiki/Home')],
    ['https://intranet', is('https://intranet/')],
    ['wiki/Home', { blocked: 'not_a_url' }],
    ['1.5', { blocked: 'not_a_url' }],
    ['https://…', { blocked: 'not_a_url' }],
    ['https://a.example/\nhttps://b.example/', { blocked: 'not_a_url' }],
    ['https://a.example/\thttps://b.example/', { blocked: 'not_a_url' }],
    ['https://a.example/x\ty', { blocked: 'not_a_url' }],
    ['https://a.example/x\ry', { blocked: 'not_a_url' }],
    ['https://a.example/ https://b.example/', { blocked: 'not_a_url' }],
    ['\t\u00a0https://a.example/\r\n', is('https://a.example/')],
    ['https://', { blocked: 'not_a_url' }],
    ['javascript:alert(1)', { blocked: 'scheme' }],
    ['ftp://example.org/x', { blocked: 'scheme' }],
    ['mailto:me@example.org', { blocked: 'email' }],
    ['someone@example.com', { blocked: 'email' }],
    ['alice:secret@example.com', { blocked: 'email' }],
    ['go.example/Kx3f9Qp', { blocked: 'own_short_link' }],
  ])('%s', (text, expected) => {
    expect(typedTarget(text, isOwn)).toEqual(expected);
  });

  test('accepts URLs up to the limit of exports', () => {
    const long = `https://example.org/${'x'.repeat(MAX_URL_LENGTH - 20)}`;
    expect(typedTarget(long, isOwn)).toEqual({ url: long, userInfoRemoved: false });
    expect(typedTarget(`${long}x`, isOwn)).toEqual({ blocked: 'too_long' });
    expect(pageTarget(`${long}x`, isOwn)).toEqual({ blocked: 'too_long' });
  });
});
