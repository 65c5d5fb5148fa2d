import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeInPath, codePath, importedCodeError, isLinkCode } from '../../src/domain/links/short-codes.ts';

describe('a code of an imported link', () => {
  it.each(['a', 'ab', 'otters', 'team/2026/plan', 'plan.pdf', '🚀', 'Übersicht', 'a~b', "it's", 'x'.repeat(255)])(
    'may be %s',
    (code) => expect(isLinkCode(code)).toBe(true),
  );

  it.each([
    ['nothing', ''],
    ['too long', 'x'.repeat(256)],
    ['with a blank', 'a b'],
    ['with a line break', 'a\nb'],
    ['with text turned around', 'a\u202eb'],
    ['with half a letter', 'a\ud83d'],
    ['with a query', 'a?b'],
    ['with a fragment', 'a#b'],
    ['escaped twice', 'a%62'],
    ['with a backslash, which browsers turn', 'a\\b'],
    ['with an empty segment', 'a//b'],
    ['with a slash at its end', 'a/'],
    ['with a slash at its start', '/a'],
    ['that climbs', 'a/../b'],
    ['that stays', './a'],
    ['of the short host itself', 'robots.txt'],
    ['of the short host itself, below a folder', '.well-known/security.txt'],
  ])('is not one %s', (_, code) => expect(isLinkCode(code)).toBe(false));

  it('may be a reserved word only for who may use them', () => {
    expect(importedCodeError('docs', true)).toBeNull();
    expect(importedCodeError('docs', false)).toBe('reserved');
    expect(importedCodeError('Login/now', false)).toBe('reserved');
    expect(importedCodeError('a/login', false)).toBeNull();
    expect(importedCodeError('Favicon.ico', true)).toBe('reserved');
    expect(importedCodeError('a b', true)).toBe('malformed');
  });

  it('is found by the path of its short URL, as a browser asks for it', () => {
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

  it('is the same whichever way its accents are composed', () => {
    expect(codeInPath('caf%C3%A9')).toBe('café');
    expect(codeInPath('cafe%CC%81')).toBe('café');
  });

  it.each(['%', '%ff', 'a%2', '%2e%2e/a', 'a%20b', 'a%00', 'x'.repeat(2000)])('is not what %s asks for', (path) =>
    expect(codeInPath(path)).toBeNull(),
  );
});
