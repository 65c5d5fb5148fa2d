/**
 * A title as it is stored: one line, without control characters or lone surrogates, which not every database can store.
 * Null where nothing is left of it.
 */
export function plainTitle(text: string | null | undefined): string | null {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain || null;
}
