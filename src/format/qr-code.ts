import { encode } from 'uqr';

/** Width of the light border around a QR code, in modules. Scanners need this border (ISO/IEC 18004, section 9.1). */
const QUIET_ZONE = 4;

/**
 * Returns the modules of a QR code (true is dark) with a light border. The text may have up to 2,331 bytes. The error
 * correction level is M (15 %), or a higher level if that does not make the code larger.
 */
export function qrMatrix(text: string): boolean[][] {
  return encode(text, { border: QUIET_ZONE, ecc: 'M', boostEcc: true }).data;
}

/** Returns the path data of an SVG that draws all dark modules of a QR code. One module is one unit wide. */
export function qrPath(matrix: boolean[][]): string {
  return matrix
    .flatMap((row, y) => runs(row).map(([start, length]) => `M${start} ${y}h${length}v1h-${length}z`))
    .join('');
}

/**
 * Returns a QR code as an SVG file with dark modules on a light background. `size` is the width and height in pixels.
 */
export function qrSvg(matrix: boolean[][], size: number): Blob {
  const side = matrix.length;
  const picture =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/>` +
    `<path shape-rendering="crispEdges" d="${qrPath(matrix)}"/></svg>\n`;
  return new Blob([picture], { type: 'image/svg+xml' });
}

/**
 * Returns a QR code as a PNG file of `size` by `size` pixels. Each module is a whole number of pixels wide, so that
 * its edges are sharp. The remaining pixels widen the margin.
 *
 * @throws if the browser cannot create the canvas or the PNG
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

/** Returns a file name for the QR code of a short URL. It contains the URL's host and short code. */
export function qrFileName(shortUrl: string, type: 'png' | 'svg'): string {
  const name = shortUrl
    .replace(/^https?:\/\//, '')
    .replace(/[^\w.-]+/g, '-')
    // Long file names are not allowed. The last 100 characters are kept, because they contain the short code.
    .slice(-100);
  return `qr-${name}.${type}`;
}

/** Returns the start and the length of each run of dark modules in a row. */
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
