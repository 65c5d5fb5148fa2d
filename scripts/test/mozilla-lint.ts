import { spawnSync } from 'node:child_process';

interface Finding {
  code: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

/** Fields of the `web-ext lint` report that this module reads. */
export type LintReport = Record<'errors' | 'warnings' | 'notices', Finding[]>;

/**
 * Mozilla's warning about Preact's `dangerouslySetInnerHTML`, which no page uses. docs/store/firefox-review.md
 * explains the warning to Mozilla's reviewers.
 */
const KNOWN = { code: 'UNSAFE_VAR_ASSIGNMENT', message: 'Unsafe assignment to innerHTML' };

/** Lints the Firefox build. Returns false on any finding other than the known warning about Preact. */
export function lintForMozilla(): boolean {
  const { stdout } = spawnSync('web-ext', ['lint', '--source-dir', 'dist/firefox', '--output', 'json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const problems = problemsIn(JSON.parse(stdout));
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

/** Returns a message for each finding except the known warning, and one if the known warning is missing. */
export function problemsIn({ errors, warnings, notices }: LintReport): string[] {
  const known = warnings.find(({ code, message }) => code === KNOWN.code && message === KNOWN.message);
  const others = [...errors, ...warnings, ...notices].filter((finding) => finding !== known);
  const problems = others.map(
    ({ code, message, file, line, column }) => `${code}: ${message} (${file}:${line}:${column})`,
  );
  if (!known) problems.push(`The linter no longer reports ${KNOWN.code} for Preact. Remove it from the review notes.`);
  return problems;
}
