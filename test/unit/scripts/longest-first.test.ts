import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST, longestFirst } from '../../../scripts/test/longest-first.ts';

test('the files that take longest come first, and the others stay as they are', () => {
  const [longest = '', second = ''] = LONGEST.map((path) => `/clone/${path}`);
  const sorted = longestFirst(['/clone/b.test.ts', second, '/clone/a.test.ts', longest], (path) => path);
  expect(sorted).toEqual([longest, second, '/clone/b.test.ts', '/clone/a.test.ts']);
});

test.each(LONGEST)('%s is there', (path) => {
  expect(existsSync(path)).toBe(true);
});
