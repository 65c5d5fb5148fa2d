// Prints the section of CHANGELOG.md for one version, for the release notes: `node scripts/release-notes.ts v0.3.0`.
// Fails if the tag, package.json and the changelog disagree about the version. Uses no npm packages, so a release can
// run this script before it installs any.
import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };

/**
 * Returns the changelog section for the version of a tag.
 *
 * @throws if the tag is not `v` followed by the version in package.json, or if the changelog has no section for that
 * version
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag is "${tag}", but package.json has version ${version}.`);
  const [, section] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - .*$`, 'm'));
  const notes = section?.split(/^## /m)[0]?.trim();
  if (!notes)
    throw new Error(`CHANGELOG.md has no section for version ${version}. Add a section with the version and the date.`);
  return notes;
}

if (import.meta.main) {
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  try {
    console.log(releaseNotes(process.argv[2] ?? '', packageJson.version, changelog));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
