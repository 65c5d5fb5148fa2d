// Runs the checks and tests, and continues after a failed step. A check counts as one test. The last line of the
// output is the total, after the slowest test files. With `--all`, runs the tests of scripts/test/which-tests.ts too.
import { readFileSync, rmSync } from 'node:fs';
import { countTests, slowestFiles, type VitestReport } from './test/count.ts';
import { lintForMozilla } from './test/mozilla-lint.ts';
import { buildExtension, hasBrowsers, run, runAll } from './test/steps.ts';

const BROWSERS = 'browsers for the end-to-end tests';
const CHECKS: [name: string, check: () => boolean | Promise<boolean>][] = [
  ['types', () => runAll(...['contract', 'backend', 'src', '.'].map((project) => ['tsc', '-p', project]))],
  [
    'lint, format and import directions',
    () => runAll(['biome', 'ci', '--error-on-warnings', '.'], ['npm', 'run', '--silent', 'check:imports']),
  ],
  ['build for Chrome and Firefox', buildExtension],
  ["Mozilla's linter", lintForMozilla],
  [BROWSERS, hasBrowsers],
];
const REPORT = '.cache/test-report.json';

if (process.argv.includes('--all')) process.env.TERSE_ALL_TESTS = '1';
const passed: string[] = [];
const failed: string[] = [];
for (const [name, check] of CHECKS) {
  console.log(`\n── ${name}\n`);
  (await check()) ? passed.push(name) : failed.push(name);
}
console.log('\n── tests\n');
rmSync(REPORT, { force: true });
const projects = failed.includes(BROWSERS) ? '--project=!e2e' : '--project=*';
const success = run('vitest', 'run', projects, '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`);
const report: VitestReport = { ...JSON.parse(readFileSync(REPORT, 'utf8')), success };
const tests = countTests(report);
console.log(`\nSlowest test files:\n${slowestFiles(report, 10).join('\n')}\n`);
for (const failure of [...failed, ...tests.failures]) console.log(`FAILED  ${failure}`);
const failures = failed.length + tests.failures.length;
process.exitCode = failures === 0 ? 0 : 1;
console.log(`${passed.length + tests.passed} passed, ${failures} failed`);
