/** Returns the released versions in a changelog, newest first. */
export function releasedVersions(changelog: string): string[] {
  return [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version = '']) => version);
}

/**
 * Returns the changelog section of a tag's version.
 *
 * @throws if the tag is not `v` plus the version of package.json, or the changelog has no section for it
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag is "${tag}", but package.json has version ${version}.`);
  const [, section] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - .*$`, 'm'));
  const notes = section?.split(/^## /m)[0]?.trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing of version ${version}: name and date its section.`);
  return notes;
}
