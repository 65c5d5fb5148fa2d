import { encode } from 'uqr';

/** Width of the light border that scanners need, in modules (ISO/IEC 18004, section 9.1). */
export const QUIET_ZONE = 4;

/**
 * Returns the modules of a QR code with a border of `margin` light modules. True is dark. The error correction is at
 * least level M (15 %), or better if the code stays the same size. Holds at most 2,331 bytes.
 */
export function qrMatrix(text: string, margin = QUIET_ZONE): boolean[][] {
  return encode(text, { border: margin, ecc: 'M', boostEcc: true }).data;
}

/** Returns the dark modules as one SVG path, in a square of `matrix.length` units. */
export function qrPath(matrix: boolean[][]): string {
  return matrix
    .flatMap((row, y) => runs(row).map(([start, length]) => `M${start} ${y}h${length}v1h-${length}z`))
    .join('');
}

/** Returns the code as an SVG file, dark on light. `size`: width and height in pixels. */
export function qrSvg(matrix: boolean[][], size: number): Blob {
  const side = matrix.length;
  const picture =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/>` +
    `<path shape-rendering="crispEdges" d="${qrPath(matrix)}"/></svg>\n`;
  return new Blob([picture], { type: 'image/svg+xml' });
}

/**
 * Returns the code as a PNG of `size` by `size` pixels. Each module is a whole number of pixels, so that edges are
 * sharp; the remaining pixels widen the margin.
 *
 * @throws if the browser provides no canvas or no picture
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

/** Returns the file name of a short URL's picture, made of its host and short code. */
export function qrFileName(shortUrl: string, type: 'png' | 'svg'): string {
  const name = shortUrl
    .replace(/^https?:\/\//, '')
    .replace(/[^\w.-]+/g, '-')
    // File names have a maximum length. The end is kept, because it contains the short code.
    .slice(-100);
  return `qr-${name}.${type}`;
}

/** Returns the start and length of each run of dark modules in a row. */
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
