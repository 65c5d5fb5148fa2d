import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forwardQuery } from '../../src/redirects/redirect-handler.ts';

const forward = (url: string, requested: string, max = 8192) => forwardQuery(url, requested, max);

describe('a forwarded query', () => {
  it.each([
    ['https://a.example/', '/code?x=1', 'https://a.example/?x=1'],
    ['https://a.example/p#top', '/code?x=1', 'https://a.example/p?x=1#top'],
    ['https://a.example/?a=%27b%2F&c#t?x', '/code?x=1', 'https://a.example/?a=%27b%2F&c&x=1#t?x'],
    ['https://a.example/?a=1&b=2&a=3', '/code?a=9', 'https://a.example/?b=2&a=9'],
    ['https://a.example/?a=1', '/code?a=8&b=2&a=9', 'https://a.example/?a=8&b=2&a=9'],
    ['https://a.example/?a[]=1&a[]=2&a=3', '/code?a%5B%5D=9', 'https://a.example/?a=3&a%5B%5D=9'],
    ['https://a.example/?%61=1&a+b=2', '/code?a=9&a%20b=8', 'https://a.example/?a=9&a%20b=8'],
    ['https://a.example/?A=1', '/code?a=2', 'https://a.example/?A=1&a=2'],
    ['https://a.example/?flag&b=', '/code?flag=1', 'https://a.example/?b=&flag=1'],
    ['https://a.example/?a=1&&b=2', '/code?&x&&y=&', 'https://a.example/?a=1&&b=2&x&y='],
    ['https://a.example/?', '/code?x', 'https://a.example/?x'],
    ['https://a.example/?a=1', '/code?a', 'https://a.example/?a'],
    ['https://a.example/?x=1', '/code??x=2', 'https://a.example/?x=1&?x=2'],
    ['https://a.example/', 'http://t.example/code?x=1', 'https://a.example/?x=1'],
    ['https://a.example/', '/code?x=1#part', 'https://a.example/?x=1'],
    ['https://a.example/', '/code?x=\xc3\xbc"<\'>', 'https://a.example/?x=%C3%BC%22%3C%27%3E'],
    ['https://a.example/', '/code?x=\t', 'https://a.example/?x=%09'],
    ['https://a.example/?x=%C3%BC', '/code?y=%zz%C3%BC', 'https://a.example/?x=%C3%BC&y=%zz%C3%BC'],
  ])('to %s from %j is %s', (url, requested, expected) => expect(forward(url, requested)).toBe(expected));

  it.each(['/code', '/code?', '/code?&&', '/code#a?x=1'])(
    'without parameters, as in %j, changes no byte',
    (requested) => {
      const url = 'https://a.example/?a=1&&%61=%27#x';
      expect(forward(url, requested)).toBe(url);
    },
  );

  it('is left out if the result would be too long', () => {
    const url = 'https://a.example/?a=1#f';
    expect(forward(url, '/code?b=2', url.length + 4)).toBe('https://a.example/?a=1&b=2#f');
    expect(forward(url, '/code?b=2', url.length + 3)).toBe(url);
  });

  it('gives a valid header, and the visitor’s values win', () => {
    const parameters = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'a[]', 'ü', ''), fc.string({ unit: 'binary' })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(parameters, parameters, fc.string(), (own, sent, fragment) => {
        const target = new URL('https://a.example/path');
        for (const [name, value] of own) target.searchParams.append(name, value.toWellFormed());
        target.hash = fragment;
        const { href } = target;
        const query = new URLSearchParams();
        for (const [name, value] of sent) query.append(name, value.toWellFormed());
        const result = forward(href, `/code?${query}`, 1e6);
        expect(new URL(result).href).toBe(result);
        expect(result).toMatch(/^[\x21-\x7e]+$/);
        expect(new URL(result).hash).toBe(target.hash);
        const found = new URL(result).searchParams;
        for (const name of query.keys()) expect(found.getAll(name)).toEqual(query.getAll(name));
        for (const name of target.searchParams.keys()) {
          if (!query.has(name)) expect(found.getAll(name)).toEqual(target.searchParams.getAll(name));
        }
      }),
    );
  });

  it('from any request gives a valid header on the same host', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((byte) => String.fromCharCode(byte)) }),
        (raw) => {
          const result = forward('https://a.example/p?a=1#f', `/code?${raw}`);
          expect(result).toMatch(/^https:\/\/a\.example\/p\?[\x21-\x7e]*#f$/);
          expect(new URL(result).href).toBe(result);
        },
      ),
    );
  });
});
