import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Checks the pictures that `npm run screenshots -- --store` creates.

const FOLDER = new URL('../../../docs/store/pictures/', import.meta.url);
const SCREENSHOTS = ['1-one-click', '2-offline', '3-links', '4-many', '5-queue'];

/** Reads the header of a PNG file. Chrome's store requires color type 2, which is RGB without transparency. */
function header(name: string) {
  const bytes = readFileSync(new URL(name, FOLDER));
  expect(bytes.subarray(0, 8).toString('latin1'), name).toBe('\x89PNG\r\n\x1a\n');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), depth: bytes[24], colourType: bytes[25] };
}

test('there are five screenshots in each theme, and the small promotional tile', () => {
  const expected = SCREENSHOTS.flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]);
  expect(readdirSync(FOLDER).toSorted()).toEqual([...expected, 'tile.png']);
});

test('pictures have the sizes and colors that the stores accept', () => {
  const plain = { depth: 8, colourType: 2 };
  for (const name of readdirSync(FOLDER)) {
    const size = name === 'tile.png' ? { width: 440, height: 280 } : { width: 1280, height: 800 };
    expect(header(name), name).toEqual({ ...size, ...plain });
  }
});
