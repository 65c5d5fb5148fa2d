import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const DECODER = new URL('../../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url);

// From the disk: by itself it would fetch its program from the network.
const wasmBinary = readFileSync(DECODER).buffer as ArrayBuffer;
prepareZXingModule({ overrides: { wasmBinary } });

/** What a reader sees in a picture: the text of each QR code in it, and how well it corrects errors. */
export async function readQr(picture: Uint8Array): Promise<{ text: string; level: string }[]> {
  const found = await readBarcodes(picture, { formats: ['QRCode'], tryInvert: false });
  return found.map(({ text, ecLevel }) => ({ text, level: ecLevel }));
}

/** A drawing as other programs paint it, on a ground that is not white: so many pixels a side, as PNG. */
export function painted(svg: string, size: number): Uint8Array {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size }, background: '#777' }).render().asPng();
}
