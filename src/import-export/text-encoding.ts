/**
 * Decodes a text file as UTF-16, UTF-8 or Windows-1252, in this order. UTF-16 is recognized by its byte order mark or
 * by zero bytes between ASCII letters.
 * Returns null if the file is not text.
 */
export function decode(bytes: Uint8Array): { text: string; guessed: boolean } | null {
  const encoding = utf16(bytes) ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : { text, guessed: false };
  } catch {
    if (encoding !== 'utf-8' || bytes.includes(0)) return null;
    return { text: new TextDecoder('windows-1252').decode(bytes), guessed: true };
  }
}

function utf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return null;
}
