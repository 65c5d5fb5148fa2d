import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matcher } from '../../src/store/search-and-paginate-links.ts';

const LINK = { code: 'Otter-1', url: 'https://example.com/River?q=100%25_', title: 'Über café' };

describe('a search', () => {
  it.each(['otter', 'OTTER-1', 'river?Q', '100%', '_', 'über', 'CAFE\u0301', ' café ', ''])('by %j matches', (text) => {
    expect(matcher(text)(LINK)).toBe(true);
  });

  it.each(['otters', '%river', 'O_ter', '.*', 'Otter-1 https', 'null'])('by %j does not match', (text) => {
    expect(matcher(text)({ ...LINK, title: null })).toBe(false);
  });

  it.each(['MÜNCHEN', 'カワウソ', 'strasse', 'kürz.example/ot'])('by %j finds what people see', (text) => {
    const path = '%E3%82%AB%E3%83%AF%E3%82%A6%E3%82%BD';
    const url = `https://xn--mnchen-3ya.de/${path}?q=Stra%C3%9Fe`;
    expect(matcher(text)({ code: '//xn--krz-hoa.example/otters', url, title: null })).toBe(true);
  });

  it('finds any part of a code, a URL or a title', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (title, from, length) => {
        const start = from % title.length;
        const part = title.slice(start, start + 1 + (length % title.length));
        for (const link of [
          { ...LINK, title },
          { ...LINK, url: title },
          { ...LINK, code: title },
        ]) {
          expect(matcher(part.toUpperCase())(link)).toBe(true);
        }
      }),
    );
  });
});
