// Runs mutation tests: changes the source code in small ways, one at a time, and prints changes that no test detects.
// The source files are divided into groups. `npm run mutation -- redirects` tests only the group `redirects`. The
// option `--all` ignores the cached results of earlier runs.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { GROUPS, LOWEST_SCORE } from './mutation/groups.ts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const CACHE = '.cache/mutation';

const groups = process.argv.slice(2).filter((argument) => argument !== '--all');
const names = groups.length > 0 ? groups : Object.keys(GROUPS);
const unknown = names.filter((name) => !(name in GROUPS));
if (unknown.length > 0) {
  console.error(`There is no group "${unknown.join('", "')}". Usage: npm run mutation -- [--all] [GROUP ...]`);
  console.error(`The groups are ${Object.keys(GROUPS).join(', ')}.`);
  process.exit(1);
}
mkdirSync(CACHE, { recursive: true });
const lines: string[] = [];
for (const name of names) {
  const { found, all } = report(await mutate(name));
  const score = (100 * found) / all;
  if (score < LOWEST_SCORE) process.exitCode = 1;
  lines.push(`${score < LOWEST_SCORE ? 'FAILED' : 'passed'}  ${name}: ${found} of ${all} found, ${score.toFixed(1)} %`);
}
console.log(`\n${lines.join('\n')}`);

function mutate(name: string): Promise<Mutant[]> {
  const incrementalFile = `${CACHE}/${name}.json`;
  if (process.argv.includes('--all')) rmSync(incrementalFile, { force: true });
  // scripts/mutation/vitest.config.ts reads this variable in the processes that run the tests.
  process.env.TERSE_MUTATION_GROUP = name;
  const options = {
    mutate: GROUPS[name]?.mutate ?? [],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest' as const,
    // Skips mutants in code that runs only when a file is loaded, because each of these mutants would need a run of
    // all tests.
    ignoreStatic: true,
    concurrency: 2,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    incremental: true,
    incrementalFile,
    tempDirName: `${CACHE}/${name}`,
    ignorePatterns: ['.cache', 'bench', 'deploy', 'dist', 'docs', 'test/e2e', 'test/fixtures'],
    // Prevents Stryker from rewriting tsconfig.json, because Stryker's code for this calls a function that TypeScript 7
    // no longer has. No mutant needs the rewritten file.
    tsconfigFile: 'none',
    timeoutMS: 30_000,
    warnings: false,
  };
  return new Stryker(options).runMutationTest();
}

function report(mutants: Mutant[]): { found: number; all: number } {
  const missed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const found = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  for (const mutant of missed) console.log(describe(mutant));
  return { found, all: found + missed.length };
}

function describe({ fileName, location: { start, end }, replacement, status }: Mutant): string {
  const line = readFileSync(fileName, 'utf8').split('\n')[start.line - 1] ?? '';
  const original = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
  const place = `${relative('.', fileName)}:${start.line}:${start.column}`;
  return `${status === 'NoCoverage' ? 'not run' : 'missed '}  ${place}  ${original}  →  ${replacement}`;
}
