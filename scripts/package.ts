// Zips dist/chrome and dist/firefox for the stores.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { zipFolder } from './build/zip.ts';

for (const browser of ['chrome', 'firefox']) {
  const zip = zipFolder(join('dist', browser));
  const file = join('dist', `terse-${browser}-${packageJson.version}.zip`);
  writeFileSync(file, zip);
  console.log(`${file}  ${(zip.length / 1000).toFixed(1)} kB`);
}
