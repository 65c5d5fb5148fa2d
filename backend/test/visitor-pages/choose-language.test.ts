import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, LANGUAGES, type Language } from '../../src/redirects/error-pages.ts';

const TAGS = Object.keys(LANGUAGES) as Language[];

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT,en;q=0.5', 'pt-BR'],
    ['zh-CN,zh;q=0.9', 'zh-CN'],
    ['zh-Hans-SG', 'zh-CN'],
    ['zh-TW', 'zh-CN'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
    ['en;q=0.5,ja;q=0.8', 'ja'],
    ['en ; q=0.5 , ja ; q=0.8', 'ja'],
    ['ko;q=0.8,pl;q=0.8', 'ko'],
    ['nb-NO,nb;q=0.9,it;q=0.1', 'it'],
    ['nb-NO', 'en'],
    ['*', 'en'],
    ['nb,*;q=0.1', 'en'],
    ['ar;q=0,he;q=0.2', 'he'],
    ['*;q=0', 'en'],
    ['*;q=0,es', 'es'],
    ['es;q=2', 'es'],
    [';;;,,,q=1', 'en'],
    ['de-', 'de'],
    ['german', 'en'],
    ['__proto__,constructor', 'en'],
    [`${'xx,'.repeat(5000)}de`, 'en'],
  ])('for %j is %s', (header, language) => {
    expect(chooseLanguage(header)).toBe(language);
  });

  it('is the first supported one with the highest weight', () => {
    const asked = fc.uniqueArray(fc.record({ tag: fc.constantFrom(...TAGS), q: fc.integer({ min: 1, max: 10 }) }), {
      selector: ({ tag }) => tag,
      minLength: 1,
    });
    fc.assert(
      fc.property(asked, (ranges) => {
        const header = ranges.map(({ tag, q }) => `${tag};q=${q / 10}`).join(', ');
        const best = Math.max(...ranges.map(({ q }) => q));
        expect(chooseLanguage(header)).toBe(ranges.find(({ q }) => q === best)?.tag);
      }),
    );
  });

  it('is always supported, for any header', () => {
    fc.assert(fc.property(fc.string({ maxLength: 600 }), (header) => TAGS.includes(chooseLanguage(header))));
  });
});
