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

/** Files in the zip with the extension's source code. These files are enough to build the published packages. */
export const SOURCE_ZIP = [...SOURCES, ...AROUND];
