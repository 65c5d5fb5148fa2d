import { QUIET_ZONE } from './qr-code.ts';

/** Pixels a side of the picture that is saved or copied. */
export const SIZES = [256, 512, 1024, 2048] as const;

export const MARGINS = ['none', 'standard', 'wide'] as const;
export type Margin = (typeof MARGINS)[number];

/** In modules. */
export const MARGIN_MODULES: Record<Margin, number> = { none: 0, standard: QUIET_ZONE, wide: 2 * QUIET_ZONE };

/** How QR codes are saved and copied. */
export interface QrStyle {
  size: (typeof SIZES)[number];
  margin: Margin;
}

const KEY = 'qrStyle';

/** What was chosen last, or the standard. Nothing depends on it but the next picture, so the page keeps it by itself. */
export function readQrStyle(): QrStyle {
  const [size, margin] = (localStorage.getItem(KEY) ?? '').split(' ');
  return {
    size: SIZES.find((one) => String(one) === size) ?? 1024,
    margin: MARGINS.find((one) => one === margin) ?? 'standard',
  };
}

export function writeQrStyle({ size, margin }: QrStyle): void {
  localStorage.setItem(KEY, `${size} ${margin}`);
}
