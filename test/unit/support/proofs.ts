import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse } from 'yaml';

const ROOT = new URL('../../../', import.meta.url);

export const readSource = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** A statement, and the tests or the texts that show that it is true. */
export interface Proof {
  says: string;
  shown: Shown[];
}

/** Name of a test, or part of a text. Line breaks of texts do not count. */
type Shown = { file: string; test: string } | { file: string; text: string };

/** Reads a file such as `docs/privacy.tests.yaml`. */
export const readProofs = <Entry extends { says: string }>(path: string): Entry[] => parse(readSource(path));

/** Checks that the named tests and texts exist. */
export function checkShown(shown: readonly Shown[]): void {
  expect(shown.length).toBeGreaterThan(0);
  for (const proof of shown) {
    const content = readSource(proof.file);
    if ('test' in proof) {
      expect(proof.file).toMatch(TEST_FILE);
      expect(content.includes(proof.test), `${proof.file} has the test "${proof.test}"`).toBe(true);
    } else {
      expect(onOneLine(content).includes(proof.text), `${proof.file} says "${proof.text}"`).toBe(true);
    }
  }
}

/** File names of tests, and of suites that several test files share. */
const TEST_FILE = /\.(test|suite)\.tsx?$/;

export const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Reads all TypeScript and JavaScript files of folders such as `src/`. */
export function sourcesIn(...folders: string[]) {
  const sources = folders
    .flatMap((folder) => readdirSync(new URL(folder, ROOT), { recursive: true }).map((name) => `${folder}${name}`))
    .filter((path) => /\.[jt]sx?$/.test(path) && !path.includes('node_modules/'))
    .map((path) => ({ path, code: readFileSync(new URL(path, ROOT), 'utf8') }));
  return {
    sources,
    /** Returns the paths of the files that contain the pattern, sorted. */
    using: (pattern: RegExp) =>
      sources
        .filter(({ code }) => pattern.test(code))
        .map(({ path }) => path)
        .toSorted(),
  };
}
