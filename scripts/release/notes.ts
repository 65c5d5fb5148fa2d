/** The versions that a changelog has, newest first, without what is not released yet. */
export function releasedVersions(changelog: string): string[] {
  return [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(([, version = '']) => version);
}

/**
 * What a changelog says of the version that a tag names.
 *
 * @throws where the tag is not `v` and the version of package.json, or the changelog has nothing to say of it
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag is "${tag}", but package.json has version ${version}.`);
  const [, section] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - .*$`, 'm'));
  const notes = section?.split(/^## /m)[0]?.trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing of version ${version}: name and date its section.`);
  return notes;
}
