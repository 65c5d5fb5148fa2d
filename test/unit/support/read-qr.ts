import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const DECODER = new URL('../../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url);

// Loads the WebAssembly program from disk, because the library would download it.
const wasmBinary = readFileSync(DECODER).buffer as ArrayBuffer;
prepareZXingModule({ overrides: { wasmBinary } });

/** Returns the text and the error correction level of each QR code in a picture. */
export async function readQr(picture: Uint8Array): Promise<{ text: string; level: string }[]> {
  const found = await readBarcodes(picture, { formats: ['QRCode'], tryInvert: false });
  return found.map(({ text, ecLevel }) => ({ text, level: ecLevel }));
}

/** Renders an SVG as a PNG of `size` pixels, on a background that is not white. */
export function painted(svg: string, size: number): Uint8Array {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size }, background: '#777' }).render().asPng();
}
