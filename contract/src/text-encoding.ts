/**
 * Detects UTF-16 by its byte order mark. Also detects UTF-16 if more than a quarter of the bytes are zero, and the
 * zeros are only at even or only at odd positions. Returns null for other encodings.
 */
export function detectUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0] as [number, number];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[(index % 2) as 0 | 1] += 1;
  const [high, low] = zeros;
  if (low > head.length / 4 && high === 0) return 'utf-16le';
  return high > head.length / 4 && low === 0 ? 'utf-16be' : null;
}
