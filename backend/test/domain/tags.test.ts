import { TagList } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeTags, splitTags, tagKey } from '../../src/domain/links/link-rules.ts';

describe('tags', () => {
  it.each([
    [[' News '], ['News']],
    [['a\tb', 'a  b'], ['a b']],
    [
      ['News', 'news', 'NEWS', 'other'],
      ['News', 'other'],
    ],
    [['e\u0301'], ['\u00e9']],
    [['\ud800x'], ['\ufffdx']],
    [[], []],
    [['x'.repeat(50)], ['x'.repeat(50)]],
  ])('%j are stored as %j', (texts, stored) => expect(normalizeTags(texts)).toEqual(stored));

  it('are stored in a form that stays the same, without duplicates and line breaks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 12 }), (texts) => {
        const tags = normalizeTags(texts);
        if (tags === 'invalid') return;
        expect(normalizeTags(tags)).toEqual(tags);
        expect(TagList.parse(tags)).toEqual(tags);
        expect(splitTags(tags.join(', ')).map((tag) => tag.trim())).toEqual(tags);
        expect(new Set(tags.map(tagKey)).size).toBe(tags.length);
        expect(tags.join('')).not.toMatch(/[\n\r]/);
      }),
    );
  });
});
