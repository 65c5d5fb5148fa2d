import { describe, expect, test } from 'vitest';
import type { ServiceKind } from '../../../src/servers/adapter.ts';
import { ownShortUrls, shortUrlForms } from '../../../src/servers/capabilities.ts';
import { terseAt } from '../support/terse-at.ts';

function isOwn(kind: ServiceKind, url: string): boolean {
  const service = { name: kind, shortBaseUrl: 'https://site.example', features: [] };
  return ownShortUrls([{ kind, service }])(new URL(url));
}

describe('a URL on the host of the short URLs', () => {
  test.each(['kutt', 'yourls', 'sink', 'shlink', 'chhoto'] as const)(
    'may be a page of a web site that shares the host with %s',
    (kind) => {
      for (const path of ['/', '/about', '/abc12?p=1']) expect(isOwn(kind, `https://site.example${path}`)).toBe(false);
    },
  );

  test.each(['/', '/Kx3f9Qp', '/team/2026/plan', '/%F0%9F%9A%80'])(
    'is always a short URL of Terse, which refuses its own hosts: %s',
    (path) => expect(isOwn('terse', `https://site.example${path}`)).toBe(true),
  );
});

test('short URLs are recognized on each domain and below the path of the base URL', () => {
  const isShort = ownShortUrls(
    terseAt('https://go.example', 'https://s.company.example:8443', 'https://shop.example/go'),
  );
  const found = (urls: string[]) => urls.map((url) => isShort(new URL(url)));
  const own = ['https://GO.example:443/x', 'https://s.company.example:8443/x', 'https://me@shop.example/go/Kx?x'];
  expect(found(own)).toEqual([true, true, true]);
  const other = [
    'https://s.company.example/x',
    'https://shop.example/gone',
    'https://shop.example/',
    'https://a.example/',
  ];
  expect(found(other)).toEqual([false, false, false, false]);
  expect(ownShortUrls([])(new URL('https://go.example/x'))).toBe(false);
  expect(ownShortUrls([{ kind: 'terse', service: null }])(new URL('https://go.example/x'))).toBe(false);
});

test('a short URL with a query, a fragment, a slash or the other scheme is the same short URL', () => {
  for (const url of ['https://s.example/a', 'http://s.example/a/', 'https://s.example/a?b#c']) {
    expect(shortUrlForms(url)).toEqual(['https://s.example/a', 'http://s.example/a']);
  }
  expect(shortUrlForms('https://kürz.example/a')).toContain('https://kürz.example/a');
  expect(shortUrlForms('no URL')).toEqual([]);
});
