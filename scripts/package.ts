// Makes in dist/ what is published: a zip for each store, one to load unpacked into Chrome, and the source that Mozilla's
// reviewers build theirs from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { withoutKey } from './build/manifest.ts';
import { SOURCE_ZIP } from './build/sources.ts';
import { type Files, readFiles, zipFiles } from './build/zip.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chrome = readFiles(join(root, 'dist', 'chrome'));

// Chrome's store gives an extension its key, and takes no package that brings one.
write('chrome', { ...chrome, 'manifest.json': withoutKey(chrome['manifest.json']) });
write('chrome-unpacked', chrome);
write('firefox', readFiles(join(root, 'dist', 'firefox')));
write('source', readFiles(root, SOURCE_ZIP));

function write(name: string, files: Files): void {
  const zip = zipFiles(files);
  const file = `terse-${name}-${packageJson.version}.zip`;
  writeFileSync(join(root, 'dist', file), zip);
  console.log(`dist/${file}  ${(zip.length / 1000).toFixed(1)} kB`);
}
