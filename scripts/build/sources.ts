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

/**
 * Files outside of `SOURCES` that Mozilla's reviewers need to install the packages, run the build and read the
 * build's documentation.
 */
const AROUND = ['backend/package.json', 'scripts/package.ts', 'docs/store/firefox-review.md', 'README.md', 'LICENSE'];

/** Files of the source zip, from which all published zips can be built. */
export const SOURCE_ZIP = [...SOURCES, ...AROUND];
