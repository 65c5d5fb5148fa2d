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
