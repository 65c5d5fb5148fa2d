// Builds the extension and runs its end-to-end tests. Vitest receives the arguments, as in `npm run e2e -- firefox`.
import { run } from './test/run.ts';
import { BUILD, hasBrowsers } from './test/steps.ts';

const built = await BUILD.run();
const passed =
  built.failed === 0 && (await hasBrowsers()) && run('vitest', 'run', '--project=e2e', ...process.argv.slice(2));
process.exitCode = passed ? 0 : 1;
