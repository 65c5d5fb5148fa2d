/** Everything the build reads, as files and folders of the repository. */
export const SOURCES = [
  'src',
  'public',
  'contract/src',
  'contract/package.json',
  'design',
  'scripts/build',
  'manifest.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

/** Other files that a reviewer needs to install the packages, run the build and read about it. */
const AROUND = ['backend/package.json', 'scripts/package.ts', 'docs/store/firefox-review.md', 'README.md', 'LICENSE'];

/** Files of the source zip. They reproduce all zips, the source zip included. */
export const SOURCE_ZIP = [...SOURCES, ...AROUND];
