import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, randomText, systemRandom } from '../../src/domain/clock-and-random.ts';
import {
  CODE_ALPHABET,
  codeInPath,
  codePath,
  createDomainFinder,
  foldCode,
  generateCodes,
  importedCodeError,
  isLinkCode,
  isReserved,
  isShortCode,
  isStoredCode,
  type ShortBaseUrls,
  shortUrlOf,
  splitStoredCode,
  storedCode,
} from '../../src/domain/links/short-codes.ts';

/** Number of codes: four of each length from 7 to 16. */
const ALL = 40;

describe('generated codes', () => {
  it('use 56 symbols that are easy to tell apart', () => {
    expect(new Set(CODE_ALPHABET).size).toBe(56);
    expect(CODE_ALPHABET).not.toMatch(/[0O1Ili]/);
  });

  it('have seven symbols, or more if several codes were taken', () => {
    const lengths = Iterator.from(generateCodes(systemRandom))
      .take(ALL)
      .map((code) => code.length)
      .toArray();
    expect(lengths.slice(0, 4)).toEqual([7, 7, 7, 7]);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(lengths.at(-1)).toBeGreaterThan(10);
  });

  it('throw a separate error if none of them is free', () => {
    expect(() => [...generateCodes(systemRandom)]).toThrow('No free short code was found.');
  });

  it('are valid short codes and never reserved', () => {
    // With these random bytes, the first generated code is a reserved word.
    const spell = [...'support'].map((letter) => CODE_ALPHABET.indexOf(letter));
    let calls = 0;
    const biased: Random = (count) => (calls++ === 0 ? Uint8Array.from(spell) : systemRandom(count));
    for (const code of Iterator.from(generateCodes(biased)).take(ALL)) {
      expect(isShortCode(code)).toBe(true);
      expect(isReserved(code)).toBe(false);
    }
  });
});

it('random text favors no symbol', () => {
  const every: Random = () => Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = randomText(every, CODE_ALPHABET, 224);
  for (const symbol of CODE_ALPHABET) expect(text.split(symbol).length - 1).toBe(4);
});

describe('the format of a short code', () => {
  it('is 3 to 64 letters, digits, hyphens and underscores', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{3,64}$/), (text) => isShortCode(text)));
    for (const text of ['', 'ab', 'a'.repeat(65), 'a b', 'a/b', 'äöü', 'abc\n', 'a.b']) {
      expect(isShortCode(text), text).toBe(false);
    }
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (text) => {
        if (isShortCode(text)) expect(new URL(`https://t.example/${text}`).pathname).toBe(`/${text}`);
      }),
    );
  });

  it('excludes the words that the service needs, in any case', () => {
    for (const word of ['api', 'API', 'dashboard', 'healthz', 'docs', 'Setup'])
      expect(isReserved(word), word).toBe(true);
    expect(isReserved('my-page')).toBe(false);
  });
});

describe('a code of an imported link', () => {
  it.each(['a', 'ab', 'otters', 'team/2026/plan', 'plan.pdf', '🚀', 'Übersicht', 'a~b', "it's", 'x'.repeat(255)])(
    'can be %s',
    (code) => expect(isLinkCode(code)).toBe(true),
  );

  it.each([
    ['if it is empty', ''],
    ['if it is too long', 'x'.repeat(256)],
    ['with a blank', 'a b'],
    ['with a line break', 'a\nb'],
    ['with reversed text direction', 'a\u202eb'],
    ['with half a character', 'a\ud83d'],
    ['with a query', 'a?b'],
    ['with a fragment', 'a#b'],
    ['if it is escaped twice', 'a%62'],
    ['with a backslash, which browsers replace', 'a\\b'],
    ['with an empty segment', 'a//b'],
    ['with a slash at its end', 'a/'],
    ['with a slash at its start', '/a'],
    ['with a parent folder segment', 'a/../b'],
    ['with a current folder segment', './a'],
    ['if it is a path of the short host itself', 'robots.txt'],
    ['if it is a file path of the short host itself', '.well-known/security.txt'],
  ])('is invalid %s', (_, code) => expect(isLinkCode(code)).toBe(false));

  it('can be a reserved word only for accounts that may use those', () => {
    expect(importedCodeError('docs', true)).toBeNull();
    expect(importedCodeError('docs', false)).toBe('reserved');
    expect(importedCodeError('Login/now', false)).toBe('reserved');
    expect(importedCodeError('a/login', false)).toBeNull();
    expect(importedCodeError('Favicon.ico', true)).toBe('reserved');
    expect(importedCodeError('a b', true)).toBe('malformed');
  });

  it('is found by the path that a browser requests', () => {
    const anyCode = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => text.normalize('NFC'));
    fc.assert(
      fc.property(fc.oneof(anyCode, fc.stringMatching(/^[a-z/.🚀é-]{1,20}$/u)), (code) => {
        fc.pre(isLinkCode(code));
        const { pathname } = new URL(`https://go.example.com/${codePath(code)}`);
        expect(codeInPath(pathname.slice(1))).toBe(code);
        expect(codeInPath(`${pathname.slice(1)}/`)).toBe(code);
      }),
    );
  });

  it('is equal for composed and decomposed accents', () => {
    expect(codeInPath('caf%C3%A9')).toBe('café');
    expect(codeInPath('cafe%CC%81')).toBe('café');
  });

  it.each(['%', '%ff', 'a%2', '%2e%2e/a', 'a%20b', 'a%00', 'x'.repeat(2000)])('is not found by %s', (path) =>
    expect(codeInPath(path)).toBeNull(),
  );
});

const BASES: ShortBaseUrls = ['https://t.example', 'http://go.example:8080', 'https://go.example:9090'];

describe('stored codes', () => {
  it.each([
    ['', 'abc', 'abc', 'https://t.example/abc'],
    ['go.example:8080', 'abc', '//go.example:8080/abc', 'http://go.example:8080/abc'],
    ['go.example:8080', 'team/2026', '//go.example:8080/team/2026', 'http://go.example:8080/team/2026'],
    ['removed.example', '🚀', '//removed.example/🚀', 'https://removed.example/%F0%9F%9A%80'],
    ['[::1]:8080', 'abc', '//[::1]:8080/abc', 'https://[::1]:8080/abc'],
  ])('combine the host %j and the code %s, and can be split again', (host, code, stored, shortUrl) => {
    expect(storedCode(host, code)).toBe(stored);
    expect(splitStoredCode(stored)).toEqual({ host, code });
    expect(isStoredCode(stored)).toBe(true);
    expect(shortUrlOf(stored, BASES)).toBe(shortUrl);
  });

  it.each([
    '',
    '//',
    '///abc',
    '//go.example',
    '//go.example/',
    '//GO.example/abc',
    '//go.example//abc',
    '/abc',
    '//a b/c',
  ])('are invalid if they are %j', (text) => expect(isStoredCode(text)).toBe(false));

  it('ignore case only for the letters A to Z, as in both databases', () => {
    expect(foldCode('ABZ-İÄ-é-09')).toBe('abz-İÄ-é-09');
  });
});

describe('the domain of a request', () => {
  const REMOVED = ['removed.example'];

  it.each([
    ['t.example', ''],
    ['T.EXAMPLE:443', ''],
    ['t.example.', ''],
    ['t.example.:443', ''],
    ['t.example:8788', ''],
    ['go.example:8080', 'go.example:8080'],
    ['Go.Example:9090', 'go.example:9090'],
  ])('with the Host header %j is %j', (header, host) => {
    expect(createDomainFinder(BASES, REMOVED)?.(header)).toEqual({ host });
  });

  it('is a removed domain if links were created on it, and it is no longer in the settings', () => {
    expect(createDomainFinder(BASES, REMOVED)?.('removed.example')).toBe('removed');
  });

  it.each([
    ['other.example'],
    ['127.0.0.1:8788'],
    // Two domains differ only in their ports.
    ['go.example'],
    ['go.example:443'],
    [''],
    [undefined],
  ])('is unknown with the Host header %j', (header) => {
    expect(createDomainFinder(BASES, REMOVED)?.(header)).toBe('unknown');
    expect(createDomainFinder(['https://t.example'], REMOVED)?.(header)).toBe('unknown');
  });

  it('is the default domain for all hosts if there has never been another domain', () => {
    expect(createDomainFinder(['https://t.example'], [])).toBeNull();
  });
});
