import { expect, test } from 'vitest';
import { problemsIn } from '../../../scripts/test/mozilla-lint.ts';

const ofPreact = {
  code: 'UNSAFE_VAR_ASSIGNMENT',
  message: 'Unsafe assignment to innerHTML',
  file: 'assets/strings.js',
  line: 1,
  column: 8373,
};
const none = { errors: [], warnings: [], notices: [] };

test('the known warning for Preact is accepted', () => {
  expect(problemsIn({ ...none, warnings: [ofPreact] })).toEqual([]);
});

test.each([
  ['with a second assignment to innerHTML', [ofPreact, { ...ofPreact, file: 'assets/popup.js' }], 'assets/popup.js:1'],
  ['with another finding', [ofPreact, { ...ofPreact, code: 'DANGEROUS_EVAL' }], 'DANGEROUS_EVAL'],
  ['without the known warning', [], 'no longer reports'],
])('a report %s fails', (_what, warnings, message) => {
  expect(problemsIn({ ...none, warnings })).toEqual([expect.stringContaining(message)]);
});

test.each(['errors', 'notices'] as const)('a report with %s fails', (kind) => {
  expect(problemsIn({ ...none, warnings: [ofPreact], [kind]: [{ ...ofPreact }] })).toHaveLength(1);
});
