import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { countTests, slowestFiles, type VitestReport } from '../../../scripts/test/count.ts';

type File = VitestReport['testResults'][number];

const file = (status: File['status'], ...statuses: string[]): File => ({
  name: 'a.test.ts',
  status,
  startTime: 5000,
  endTime: 7500,
  assertionResults: statuses.map((status) => ({
    status,
    fullName: `a ${status} test`,
  })),
});
const counted = (success: boolean, ...testResults: File[]) => countTests({ success, testResults });

test('passed tests are counted over all files, and failed tests are named', () => {
  const count = counted(false, file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'));
  expect(count).toEqual({ passed: 3, failures: ['failed: a failed test, in a.test.ts'] });
});

test.each(['skipped', 'todo', 'pending', 'disabled'])('a %s test counts as failed, with its name', (status) => {
  const failures = [`${status}: a ${status} test, in a.test.ts`];
  expect(counted(true, file('passed', 'passed', status))).toEqual({ passed: 1, failures });
});

test.each([
  ['a file that could not be loaded', false, [file('failed')]],
  ['a file with failed hooks', false, [file('failed', 'passed')]],
  ['an error outside tests', false, [file('passed', 'passed')]],
  ['a run without tests', true, []],
])('%s counts as a failed test', (_what, success, files) => {
  expect(counted(success, ...files).failures).toHaveLength(1);
});

test('the slowest files are listed, slowest first', () => {
  const [quick, slow] = ['quick.test.ts', 'slow.test.ts'].map((name) => ({
    ...file('passed', 'passed'),
    name: resolve(name),
  }));
  const report = { success: true, testResults: [{ ...quick, endTime: 5400 } as File, slow as File] };
  expect(slowestFiles(report, 2)).toEqual(['   2.5 s  slow.test.ts', '   0.4 s  quick.test.ts']);
  expect(slowestFiles(report, 1)).toEqual(['   2.5 s  slow.test.ts']);
});
