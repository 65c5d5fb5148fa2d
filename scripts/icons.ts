// Draws design/icon.svg as PNG files: public/icons/icon-<size>.png in the sizes that the extension's manifest lists,
// and the icons of the installable dashboard. Run this script after changing the drawing.
import { readFileSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import manifest from '../manifest.json' with { type: 'json' };

const drawing = readFileSync('design/icon.svg', 'utf8');
// Phones crop these icons to their own shape, so the background reaches the edges.
const withoutRoundCorners = drawing.replace(' rx="4"', '');

for (const [size, file] of Object.entries(manifest.icons)) draw(drawing, Number(size), `public/${file}`);
const assets = 'backend/src/dashboard/assets';
draw(drawing, 192, `${assets}/icon-192.png`);
draw(drawing, 512, `${assets}/icon-512.png`);
draw(withoutRoundCorners, 512, `${assets}/icon-maskable.png`);
draw(withoutRoundCorners, 180, `${assets}/apple-touch-icon.png`);

function draw(svg: string, size: number, path: string): void {
  const picture = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
  writeFileSync(path, picture);
  console.log(`${path}  ${picture.length} bytes`);
}
