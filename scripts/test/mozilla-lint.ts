import { spawnSync } from 'node:child_process';
import { type Count, ONE_FAILED, ONE_PASSED } from './count.ts';

/** Fields of the `web-ext lint` report that this module reads. */
export interface LintReport {
  errors: Finding[];
  warnings: Finding[];
  notices: Finding[];
}

interface Finding {
  code: string;
  message: string;
  description: string;
  file?: string;
  line?: number;
  column?: number;
}

/**
 * Mozilla's warning about Preact's `dangerouslySetInnerHTML`, which no page uses. docs/store/firefox-review.md
 * explains the warning to Mozilla's reviewers.
 */
const KNOWN = { code: 'UNSAFE_VAR_ASSIGNMENT', message: 'Unsafe assignment to innerHTML' };

/** Lints the Firefox build. Fails on any finding other than the known warning about Preact. */
export function lintForMozilla(): Count {
  const { stdout } = spawnSync('web-ext', ['lint', '--source-dir', 'dist/firefox', '--output', 'json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const problems = problemsIn(JSON.parse(stdout));
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? ONE_PASSED : ONE_FAILED;
}

/**
 * Returns a message for each finding of Mozilla's linter, except for one expected warning. If the expected warning is
 * missing, adds a message about this.
 */
export function problemsIn({ errors, warnings, notices }: LintReport): string[] {
  const known = warnings.find(({ code, message }) => code === KNOWN.code && message === KNOWN.message);
  const others = [...errors, ...warnings, ...notices].filter((finding) => finding !== known).map(describe);
  if (known) return others;
  return [
    ...others,
    `The linter no longer reports ${KNOWN.code} for Preact: remove it from scripts/test/mozilla-lint.ts and docs/store/firefox-review.md.`,
  ];
}

function describe({ code, message, description, file = '', line = 0, column = 0 }: Finding): string {
  return `${code}: ${message} (${file}:${line}:${column})\n  ${description}`;
}
