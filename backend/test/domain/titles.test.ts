import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeTitle } from '../../src/domain/links/link-rules.ts';

describe('a title', () => {
  it.each([
    ['All about otters', 'All about otters'],
    ['  two\n\tlines\u0000 ', 'two lines'],
    ['<b>"x" & \'y\'</b>', '<b>"x" & \'y\'</b>'],
    ['🦦 \ud83e', '🦦 \ufffd'],
    ['', null],
    [' \u0000\n', null],
    [null, null],
    [undefined, null],
  ])('%j is stored as %j', (text, kept) => {
    expect(normalizeTitle(text)).toBe(kept);
  });

  it('is stored on one line, well-formed, with a maximum length, and does not change when stored again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\0', '\u0085', '\ud83e', '🦦', '\u2028') }),
        (text) => {
          const kept = normalizeTitle(text);
          if (kept === null) return;
          expect(normalizeTitle(kept)).toBe(kept);
          expect(kept).not.toMatch(/[\p{Cc}\u2028]/u);
          expect(kept.isWellFormed()).toBe(true);
          expect(kept.length).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});
