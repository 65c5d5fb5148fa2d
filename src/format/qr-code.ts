import { encode } from 'uqr';

/** Width of the light border around a QR code, in modules. Scanners need this border (ISO/IEC 18004, section 9.1). */
const QUIET_ZONE = 4;

/** Width and height of a picture, in pixels. A PNG may be smaller, so that each module has a whole number of pixels. */
const SIZE = 1024;

/**
 * Returns the modules of a QR code (true is dark) with a light border. The text may have up to 2,331 bytes. The error
 * correction level is M (15 %), or a higher level if that does not make the code larger.
 */
function modulesOf(text: string): boolean[][] {
  return encode(text, { border: QUIET_ZONE, ecc: 'M', boostEcc: true }).data;
}

/** Returns a QR code as an SVG with dark modules on a light background. */
export function qrSvg(text: string): string {
  const modules = modulesOf(text);
  const side = modules.length;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${side} ${side}">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path shape-rendering="crispEdges" d="${path}"/></svg>\n`
  );
}

/**
 * Returns a QR code as a PNG file.
 *
 * @throws if the browser cannot create the canvas or the PNG
 */
export async function qrPng(text: string): Promise<Blob> {
  const modules = modulesOf(text);
  const scale = Math.floor(SIZE / modules.length);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = scale * modules.length;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas to draw on.');
  for (const [y, row] of modules.entries()) {
    for (const [x, dark] of row.entries()) {
      context.fillStyle = dark ? '#000' : '#fff';
      context.fillRect(x * scale, y * scale, scale, scale);
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
