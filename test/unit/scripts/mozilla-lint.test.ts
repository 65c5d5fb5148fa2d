import { expect, test } from 'vitest';
import { problemsIn } from '../../../scripts/test/mozilla-lint.ts';

const ofPreact = {
  code: 'UNSAFE_VAR_ASSIGNMENT',
  message: 'Unsafe assignment to innerHTML',
  description: '',
  file: 'assets/strings.js',
  line: 1,
  column: 8373,
};
const none = { errors: [], warnings: [], notices: [] };

test('the known warning for Preact is accepted', () => {
  expect(problemsIn({ ...none, warnings: [ofPreact] })).toEqual([]);
});

test('a report with a second assignment to innerHTML fails', () => {
  const ours = { ...ofPreact, file: 'assets/popup.js' };
  expect(problemsIn({ ...none, warnings: [ofPreact, ours] })).toEqual([expect.stringContaining('assets/popup.js:1')]);
});

test('a report with a warning for another way to set markup fails', () => {
  const other = { ...ofPreact, message: 'Unsafe call to insertAdjacentHTML' };
  expect(problemsIn({ ...none, warnings: [ofPreact, other] })).toEqual([expect.stringContaining('insertAdjacentHTML')]);
});

test.each(['errors', 'warnings', 'notices'] as const)('a report with other %s fails', (kind) => {
  const other = { ...ofPreact, code: 'DANGEROUS_EVAL' };
  const report = { ...none, warnings: [ofPreact], [kind]: [...(kind === 'warnings' ? [ofPreact] : []), other] };
  expect(problemsIn(report)).toEqual([expect.stringContaining('DANGEROUS_EVAL')]);
});

test('a report without the known warning fails, so that the docs stay correct', () => {
  expect(problemsIn(none)).toEqual([expect.stringContaining('no longer reports')]);
});
