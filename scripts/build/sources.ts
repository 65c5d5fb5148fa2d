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

/** Other files that a reviewer needs to install the packages, run the build and read the build's documentation. */
const AROUND = ['backend/package.json', 'scripts/package.ts', 'docs/store/firefox-review.md', 'README.md', 'LICENSE'];

/** Files of the source zip. All published zips can be built from them. */
export const SOURCE_ZIP = [...SOURCES, ...AROUND];
