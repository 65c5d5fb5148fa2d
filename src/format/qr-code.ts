import { encode } from 'uqr';

/** Light modules around the code that a reader needs to find it (ISO/IEC 18004, section 9.1). */
export const QUIET_ZONE = 4;

/**
 * The modules of a QR code, `margin` light ones around it included; true is dark. Errors are corrected as in level M, 15 %
 * of the code, or better where that makes it no larger. Holds 2,331 bytes.
 */
export function qrMatrix(text: string, margin = QUIET_ZONE): boolean[][] {
  return encode(text, { border: margin, ecc: 'M', boostEcc: true }).data;
}

/** The dark modules as one SVG path, a run at a time, in a square of `matrix.length` units. */
export function qrPath(matrix: boolean[][]): string {
  return matrix
    .flatMap((row, y) => runs(row).map(([start, length]) => `M${start} ${y}h${length}v1h-${length}z`))
    .join('');
}

/** The code as a file of its own, dark on light. `size`: pixels a side, for programs that ask. */
export function qrSvg(matrix: boolean[][], size: number): Blob {
  const side = matrix.length;
  const picture =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/>` +
    `<path shape-rendering="crispEdges" d="${qrPath(matrix)}"/></svg>\n`;
  return new Blob([picture], { type: 'image/svg+xml' });
}

/**
 * The code as a PNG of `size` pixels a side. Modules are whole pixels, so that each edge is sharp; what is left over makes the
 * margin wider.
 *
 * @throws where the browser gives no canvas to draw on, or nothing of what was drawn
 */
export async function qrPng(matrix: boolean[][], size: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas to draw on.');
  const scale = Math.floor(size / matrix.length);
  const left = Math.floor((size - scale * matrix.length) / 2);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  for (const [y, row] of matrix.entries()) {
    for (const [start, length] of runs(row)) {
      context.fillRect(left + start * scale, left + y * scale, length * scale, scale);
    }
  }
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) throw new Error('The browser did not give the picture.');
  return picture;
}

/** What a picture of a short URL is called: its host and its short code, whatever stands in them. */
export function qrFileName(shortUrl: string, type: 'png' | 'svg'): string {
  const name = shortUrl
    .replace(/^https?:\/\//, '')
    .replace(/[^\w.-]+/g, '-')
    // Names of files end somewhere; the short code is what tells them apart.
    .slice(-100);
  return `qr-${name}.${type}`;
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
