// Builds the extension and runs its end-to-end tests. All arguments are passed to Vitest, as in `npm run e2e --
// firefox`.
import { buildExtension, hasBrowsers, run } from './test/steps.ts';

const isReady = (await buildExtension()) && (await hasBrowsers());
process.exitCode = isReady && run('vitest', 'run', '--project=e2e', ...process.argv.slice(2)) ? 0 : 1;
