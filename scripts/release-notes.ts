// Prints a version's section of CHANGELOG.md for the release notes, as in `node scripts/release-notes.ts v0.1.0`.
// Fails if the tag, package.json and the changelog have different versions. Uses no packages, so that a release can
// run this script before installing any.
import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { releaseNotes } from './release/notes.ts';

const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
try {
  console.log(releaseNotes(process.argv[2] ?? '', packageJson.version, changelog));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
