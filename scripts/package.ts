// Creates the published files in dist/: a zip for each store, a zip that users can load unpacked into Chrome, and a
// zip with the sources, from which Mozilla's reviewers build the extension.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { withoutKey } from './build/manifest.ts';
import { SOURCE_ZIP } from './build/sources.ts';
import { readFiles, zipFiles } from './build/zip.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chrome = readFiles(join(root, 'dist', 'chrome'));

// The Chrome Web Store rejects packages whose manifest contains a `key`, because the store assigns this key.
write('chrome', zipFiles({ ...chrome, 'manifest.json': withoutKey(chrome['manifest.json']) }));
write('chrome-unpacked', zipFiles(chrome));
write('firefox', zipFiles(readFiles(join(root, 'dist', 'firefox'))));
write('source', zipFiles(readFiles(root, SOURCE_ZIP)));

function write(name: string, zip: Uint8Array): void {
  const file = `terse-${name}-${packageJson.version}.zip`;
  writeFileSync(join(root, 'dist', file), zip);
  console.log(`dist/${file}  ${(zip.length / 1000).toFixed(1)} kB`);
}
