// Runs the checks and tests, and continues after a failed step. A check counts as one test. The last line of the
// output is the total, after the slowest test files. With `--all`, runs the tests of scripts/test/which-tests.ts too.
import { add, type Count, NOTHING, slowestFiles } from './test/count.ts';
import { BUILD, END_TO_END, FIREFOX_LINT, LINT, type Step, TYPES, UNIT } from './test/steps.ts';

const STEPS: Step[] = [TYPES, LINT, BUILD, FIREFOX_LINT, UNIT, END_TO_END];

if (process.argv.includes('--all')) process.env.TERSE_ALL_TESTS = '1';
let sum: Count = NOTHING;
const summary: string[] = [];
for (const [index, { name, run }] of STEPS.entries()) {
  console.log(`\n── ${index + 1} of ${STEPS.length}: ${name}\n`);
  const started = performance.now();
  const count = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  summary.push(
    `${count.failed === 0 ? 'passed' : 'FAILED'}  ${name}: ${count.passed} of ${count.passed + count.failed}, ${seconds} s`,
  );
  sum = add(sum, count);
}
for (const failure of sum.failures) console.log(`\n${failure}`);
console.log(`\nSlowest test files:\n${slowestFiles(sum, 10).join('\n')}`);
console.log(`\n${summary.join('\n')}\n`);
// Logs are often cut to their last lines.
for (const failure of sum.failures) console.log(failure.split('\n').slice(0, 2).join('\n  '));
process.exitCode = sum.failed === 0 ? 0 : 1;
console.log(`${sum.passed} passed, ${sum.failed} failed`);
