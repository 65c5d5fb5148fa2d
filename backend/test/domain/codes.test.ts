import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, randomText, systemRandom } from '../../src/domain/clock-and-random.ts';
import { CODE_ALPHABET, generateCodes, isReserved, isShortCode } from '../../src/domain/links/short-codes.ts';

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

describe('random text', () => {
  it('favors no symbol', () => {
    const every: Random = () => Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = randomText(every, CODE_ALPHABET, 224);
    for (const symbol of CODE_ALPHABET) expect(text.split(symbol).length - 1).toBe(4);
  });
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
