import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseLanguage,
  LANGUAGES,
  type Language,
  type PageName,
  type Words,
} from '../../src/redirects/error-pages.ts';
import { newRedirectCounts } from '../../src/redirects/redirect-handler.ts';

const PAGES = Object.entries(LANGUAGES) as [Language, Record<PageName, Words>][];

/** Scripts of the languages that do not use the Latin alphabet. */
const SCRIPTS: Partial<Record<Language, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  'zh-CN': /\p{Script=Han}/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
};

const textsOf = (pages: Record<string, Words>) =>
  Object.entries(pages).flatMap(([name, words]) =>
    Object.entries(words).map(([part, text]) => [`${name}.${part}`, text as string] as const),
  );
const namesOf = (pages: Record<string, Words>) =>
  textsOf(pages)
    .map(([name]) => name)
    .sort();

describe('the pages for visitors', () => {
  it('exist in twelve languages, each in a file', () => {
    const tags = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'pl', 'ja', 'ko', 'zh-CN', 'ar', 'he'];
    expect(Object.keys(LANGUAGES)).toEqual(tags);
    const files = readdirSync(new URL('../../src/redirects/languages/', import.meta.url));
    expect(files.sort()).toEqual(tags.map((tag) => `${tag}.json`).sort());
    expect(tags.map((tag) => new Intl.Locale(tag).toString())).toEqual(tags);
  });

  it('exist for each kind of error of a short URL', () => {
    const { redirected, malformed, ...ends } = newRedirectCounts();
    expect([redirected, malformed]).toEqual([0, 0]);
    expect(Object.keys(LANGUAGES.en).sort()).toEqual(Object.keys(ends).sort());
  });

  it.each(PAGES)('have all texts in %s, and no unused ones', (_, pages) => {
    expect(namesOf(pages)).toEqual(
      Object.keys(LANGUAGES.en)
        .flatMap((name) => [`${name}.sentence`, `${name}.title`])
        .sort(),
    );
  });

  it.each(PAGES)('are well-formed in %s', (tag, pages) => {
    for (const [name, text] of textsOf(pages)) {
      expect(text, name).toBe(text.normalize('NFC').trim());
      // Markup would be rendered, bidirectional marks belong in the `dir` attribute, and straight quotes are wrong in
      // every language.
      expect(text, name).not.toMatch(/[<>&"'{}$\p{Cc}\p{Cf}]|\s\s|\.\.\./u);
      const letters = [...text].filter((sign) => /\p{L}/u.test(sign));
      const script = SCRIPTS[tag] ?? /\p{Script=Latin}/u;
      expect(
        letters.filter((letter) => !script.test(letter) && letter !== 'ー'),
        name,
      ).toEqual([]);
      expect(letters.length, name).toBeGreaterThan(3);
      if (name.endsWith('.title')) expect(text, name).toMatch(/[^.。!?]$/);
      else expect(text, name).toMatch(/[.。]$/);
    }
  });

  it.each(PAGES.filter(([tag]) => tag !== 'en'))('are translated into %s, and all texts differ', (_, pages) => {
    const english = new Set(textsOf(LANGUAGES.en).map(([, text]) => text));
    const texts = textsOf(pages).map(([, text]) => text);
    expect(texts.filter((text) => english.has(text))).toEqual([]);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

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
