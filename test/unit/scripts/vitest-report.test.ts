import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { countReport, slowestFiles, type VitestReport } from '../../../scripts/test/count.ts';

type File = VitestReport['testResults'][number];

const file = (status: File['status'], ...statuses: string[]): File => ({
  name: 'a.test.ts',
  status,
  startTime: 5000,
  endTime: 7500,
  assertionResults: statuses.map((status) => ({
    status,
    fullName: `a ${status} test`,
    failureMessages: ['what it said'],
  })),
});
const counted = (success: boolean, ...testResults: File[]) => countReport({ success, testResults });

test('passed and failed tests are counted over all files', () => {
  const count = counted(false, file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'));
  expect(count).toMatchObject({ passed: 3, failed: 1 });
  expect(count.failures).toEqual([expect.stringMatching(/a failed test.*a\.test\.ts\nwhat it said/)]);
});

test.each(['skipped', 'todo', 'pending', 'disabled'])('a %s test counts as failed, with its name', (status) => {
  const count = countReport({ success: true, testResults: [file('passed', 'passed', status)] });
  expect(count).toMatchObject({ passed: 1, failed: 1 });
  expect(count.failures).toEqual([expect.stringContaining(`a ${status} test`)]);
});

test('a file that could not be loaded, or with failed hooks, counts as a failed test', () => {
  expect(counted(false, file('failed'))).toMatchObject({ passed: 0, failed: 1 });
  expect(counted(false, file('failed', 'passed'))).toMatchObject({ passed: 1, failed: 1 });
});

test('an error outside tests counts as a failed test', () => {
  expect(counted(false, file('passed', 'passed'))).toMatchObject({ passed: 1, failed: 1 });
});

test('a run without tests counts as failed', () => {
  expect(counted(true)).toMatchObject({ passed: 0, failed: 1 });
});

test('the slowest files are listed, slowest first', () => {
  const [quick, slow] = ['quick.test.ts', 'slow.test.ts'].map((name) => ({
    ...file('passed', 'passed'),
    name: resolve(name),
  }));
  const count = counted(true, { ...quick, endTime: 5400 } as File, slow as File);
  expect(slowestFiles(count, 2)).toEqual(['   2.5 s  slow.test.ts', '   0.4 s  quick.test.ts']);
  expect(slowestFiles(count, 1)).toEqual(['   2.5 s  slow.test.ts']);
});
