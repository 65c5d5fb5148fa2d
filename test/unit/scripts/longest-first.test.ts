import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST, longestFirst } from '../../../scripts/test/longest-first.ts';

test('the slowest files come first, and the others keep their order', () => {
  const [longest = '', second = ''] = LONGEST.map((path) => `/clone/${path}`);
  const sorted = longestFirst(['/clone/b.test.ts', second, '/clone/a.test.ts', longest], (path) => path);
  expect(sorted).toEqual([longest, second, '/clone/b.test.ts', '/clone/a.test.ts']);
});

test.each(LONGEST)('%s exists', (path) => {
  expect(existsSync(path)).toBe(true);
});
