/**
 * A title as it is kept: one line, without control characters or broken surrogates (a database's text cannot hold
 * either, and no page should have to). Null where nothing is left of it.
 */
export function plainTitle(text: string | null | undefined): string | null {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain || null;
}
