import { encode } from 'uqr';

/** Light modules a reader needs around the code (ISO/IEC 18004, section 9.1). */
const QUIET_ZONE = 4;
/** Pixels of a module in the picture that is saved. */
const SCALE = 12;

/** The modules of a QR code, quiet zone included; true is dark. */
export function qrMatrix(text: string): boolean[][] {
  return encode(text, { border: QUIET_ZONE, ecc: 'M' }).data;
}

/** The dark modules as one SVG path, a run at a time, in a square of `matrix.length` units. */
export function qrPath(matrix: boolean[][]): string {
  return matrix
    .flatMap((row, y) => runs(row).map(([start, length]) => `M${start} ${y}h${length}v1h-${length}z`))
    .join('');
}

/** The same as a picture to save; null where the browser has no canvas to draw on. */
export function qrPicture(matrix: boolean[][]): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = matrix.length * SCALE;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (const [y, row] of matrix.entries()) {
    for (const [start, length] of runs(row)) context.fillRect(start * SCALE, y * SCALE, length * SCALE, SCALE);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Where dark runs start in a row, and how long they are. */
function runs(row: boolean[]): [start: number, length: number][] {
  const found: [number, number][] = [];
  for (const [x, dark] of row.entries()) {
    const last = found.at(-1);
    if (!dark) continue;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else found.push([x, 1]);
  }
  return found;
}
