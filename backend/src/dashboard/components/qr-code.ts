import { encode } from 'uqr';
import { type Html, html } from './html-elements.ts';

/** Width of the light border around a QR code, in modules. Scanners need this border (ISO/IEC 18004, section 9.1). */
const QUIET_ZONE = 4;
/** Width of a QR module in the downloaded image, in pixels. */
const SCALE = 16;

/** Returns the modules of a QR code as a matrix. True means dark. */
function qrMatrix(text: string): boolean[][] {
  return encode(text, { border: QUIET_ZONE, ecc: 'M' }).data;
}

export function qrCode(text: string, label: string): Html {
  const matrix = qrMatrix(text);
  const size = matrix.length;
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"><rect class="qr-light" width="${size}" height="${size}"/><path class="qr-dark" d="${svgPath(matrix)}"/></svg>`;
}

export function qrSvg(text: string): string {
  const matrix = qrMatrix(text);
  const [size, pixels] = [matrix.length, matrix.length * SCALE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${pixels}" height="${pixels}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${svgPath(matrix)}"/></svg>\n`;
}

function svgPath(matrix: boolean[][]): string {
  return matrix
    .map((row, y) =>
      [
        ...row
          .map((dark) => (dark ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
      ]
        .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
        .join(''),
    )
    .join('');
}
