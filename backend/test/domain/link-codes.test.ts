import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeInPath, codePath, importedCodeError, isLinkCode } from '../../src/domain/links/short-codes.ts';

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
