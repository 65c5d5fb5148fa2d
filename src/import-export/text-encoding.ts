import { detectUtf16 } from '@terse/contract/text-encoding';

/** Number of bytes from which UTF-16 is detected. */
const HEAD_LENGTH = 4_096;

/**
 * Decodes a text file as UTF-16, UTF-8 or Windows-1252, tried in this order. Returns null if the file is not text.
 */
export function decode(bytes: Uint8Array): { text: string; guessed: boolean } | null {
  const encoding = detectUtf16(bytes.subarray(0, HEAD_LENGTH)) ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : { text, guessed: false };
  } catch {
    if (encoding !== 'utf-8' || bytes.includes(0)) return null;
    return { text: new TextDecoder('windows-1252').decode(bytes), guessed: true };
  }
}
