// Draws public/icons/icon-<size>.png from design/icon.svg in the sizes of the manifest. Run this script after a
// change to the drawing.
import { readFileSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import manifest from '../manifest.json' with { type: 'json' };

const drawing = readFileSync('design/icon.svg', 'utf8');

for (const [size, file] of Object.entries(manifest.icons)) {
  const picture = new Resvg(drawing, { fitTo: { mode: 'width', value: Number(size) } }).render().asPng();
  writeFileSync(`public/${file}`, picture);
  console.log(`public/${file}  ${picture.length} bytes`);
}
