import { describe, expect, test } from 'vitest';
import { readTags } from '../../../src/servers/parse-and-format-tags.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);

describe('typed tags', () => {
  test.each([',', '،', '，', '、'])('are separated by “%s”', (comma) => {
    expect(readTags(`${comma}birds ${comma} long reads${comma}${comma}`)).toEqual(['birds', 'long reads']);
  });

  test('count once if they differ only in case, and the first spelling is kept', () => {
    expect(readTags('Birds, birds, ÉTÉ, été')).toEqual(['Birds', 'ÉTÉ']);
  });

  test('are limited to ten, with up to 50 characters each', () => {
    expect(readTags(numbered(10).join())).toEqual(numbered(10));
    expect(readTags(numbered(11).join())).toBeNull();
    expect(readTags('x'.repeat(50))).toEqual(['x'.repeat(50)]);
    expect(readTags('x'.repeat(51))).toBeNull();
  });

  test('keep other kinds of commas in tags that the link had before', () => {
    expect(readTags('東京、大阪, a、b', ['東京、大阪'])).toEqual(['東京、大阪', 'a', 'b']);
  });
});
