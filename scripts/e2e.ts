// Builds the extension and runs its end-to-end tests. All arguments are passed to Vitest, as in `npm run e2e --
// firefox`.
import { BUILD, hasBrowsers, run } from './test/steps.ts';

const built = await BUILD.run();
const passed =
  built.failed === 0 && (await hasBrowsers()) && run('vitest', 'run', '--project=e2e', ...process.argv.slice(2));
process.exitCode = passed ? 0 : 1;
