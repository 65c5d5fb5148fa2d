// Prints the section of CHANGELOG.md for one version, for the release notes: `node scripts/release-notes.ts v0.3.0`.
// Fails if the tag, package.json and the changelog disagree about the version. Uses no npm packages, so a release can
// run this script before it installs any.
import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { releaseNotes } from './release/read-changelog.ts';

const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
try {
  console.log(releaseNotes(process.argv[2] ?? '', packageJson.version, changelog));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
