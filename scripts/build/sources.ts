/** Everything the build reads, as files and folders of the repository. */
export const SOURCES = [
  'src',
  'public',
  'contract/src',
  'contract/lean',
  'contract/package.json',
  'design',
  'scripts/build',
  'manifest.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

/** What else a reviewer needs to install the build's packages, to run it, and to read what it is. */
const AROUND = ['backend/package.json', 'scripts/package.ts', 'docs/store/firefox-review.md', 'README.md', 'LICENSE'];

/** What the source zip holds: it makes the same zips again, itself included. */
export const SOURCE_ZIP = [...SOURCES, ...AROUND];
