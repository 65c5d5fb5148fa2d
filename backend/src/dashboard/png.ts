import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** One bit of grey a pixel (W3C PNG, section 11.2.1): depth 1, colour type 0, and the only methods there are. */
const ONE_BIT_GREY = [1, 0, 0, 0, 0];

/** A PNG of a square bitmap, `scale` pixels to a dot; true is black. */
export function bitmapPng(bitmap: boolean[][], scale: number): Buffer {
  const width = bitmap.length * scale;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set(ONE_BIT_GREY, 8);
  // Each line begins with its filter: 0, none.
  const lines = bitmap.flatMap((row) => {
    const line = Buffer.concat([Buffer.of(0), bits(row, scale)]);
    return Array.from({ length: scale }, () => line);
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A row of dots as bits, the leftmost in the highest place; a set bit is white. */
function bits(row: boolean[], scale: number): Buffer {
  const line = Buffer.alloc(Math.ceil((row.length * scale) / 8));
  for (let x = 0; x < row.length * scale; x += 1) {
    if (!row[Math.floor(x / scale)]) line[x >> 3] = (line[x >> 3] ?? 0) | (0x80 >> (x & 7));
  }
  return line;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
