import { describe, expect, it } from 'vitest';
import { foldForSearch, searchableUrl } from '../src/search-text.ts';

const finds = (text: string, query: string) => foldForSearch(text).includes(foldForSearch(query));

describe('a search', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ ΑΘΗΝΩΝ', 'οδος'],
    ['οδοσήμανση', 'ΟΔΟΣ'],
    ['İstanbul', 'istanbul'],
    ['ISPARTA', 'ısparta'],
    ['МОСКВА', 'москва'],
    ['ＴＥＲＳＥ', 'terse'],
    ['CAFE\u0301', 'café'],
    ['ÇAĞ', 'çağ'],
    ['ՀԱՅԱՍՏԱՆ', 'հայաստան'],
    ['ﬁnd', 'FIND'],
  ])('ignores the case of %s', (text, query) => expect(finds(text, query)).toBe(true));

  it('treats the capital and the small form of every letter alike', () => {
    const letters = Array.from({ length: 0x1_20_00 }, (_, code) => String.fromCodePoint(code)).filter(
      (letter) => letter.toLowerCase() !== letter.toUpperCase(),
    );
    const folded = (convert: (letter: string) => string) => letters.map((letter) => foldForSearch(convert(letter)));
    expect(folded((letter) => letter.toUpperCase())).toEqual(folded((letter) => letter));
    expect(folded((letter) => letter.toLowerCase())).toEqual(folded((letter) => letter));
  });

  it('distinguishes letters', () => {
    expect(finds('munchen', 'münchen')).toBe(false);
  });

  it.each(['münchen', 'MÜNCHEN.DE', 'カワウソ', 'хлеб', '%E3%82%AB', 'xn--mnchen-3ya', '%ff', 'a b'])(
    'finds what people see in a URL, and its encoded form: %s',
    (query) => {
      const url = 'https://xn--mnchen-3ya.de/%E3%82%AB%E3%83%AF%E3%82%A6%E3%82%BD/%D0%A5%D0%BB%D0%B5%D0%B1?a%20b=%FF';
      expect(finds(searchableUrl(url), query)).toBe(true);
    },
  );
});
