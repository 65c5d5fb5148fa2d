import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, type PageName, type Words } from '../../src/redirects/error-pages.ts';
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
