/** A list in parts of so many; the last one may have fewer. */
export function inParts<T>(list: T[], size: number): T[][] {
  const starts = list.keys().filter((at) => at % size === 0);
  return Array.from(starts, (at) => list.slice(at, at + size));
}
