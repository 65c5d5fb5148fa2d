import { renderSVG } from 'uqr';

/**
 * Returns a QR code as an SVG with dark modules on a light background. The text may have up to 2,331 bytes. The error
 * correction level is M (15 %), or a higher level if that does not make the code larger. Scanners need the light border
 * of four modules (ISO/IEC 18004, section 9.1).
 */
export function qrSvg(text: string): string {
  return renderSVG(text, { border: 4, ecc: 'M', boostEcc: true });
}

/** Returns a file name for the QR code of a short URL. It contains the URL's host and short code. */
export function qrFileName(shortUrl: string): string {
  const name = shortUrl
    .replace(/^https?:\/\//, '')
    .replace(/[^\w.-]+/g, '-')
    // Long file names are not allowed. The last 100 characters are kept, because they contain the short code.
    .slice(-100);
  return `qr-${name}.svg`;
}
