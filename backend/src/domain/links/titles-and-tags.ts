import { TAG_LENGTH_LIMIT, TAGS_LIMIT } from '@terse/contract';

/**
 * Returns a title on one line. Replaces control characters with spaces. Replaces lone surrogates, which some
 * databases cannot store, with U+FFFD. Returns null if nothing is left.
 */
export function normalizeTitle(text: string | null | undefined): string | null {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain || null;
}

/**
 * Returns the tags to store, each on one line. Tags that differ only in case count as one, and the first of them is
 * kept. Returns `invalid` if there are too many tags, or if a tag is empty, too long or contains a comma.
 */
export function normalizeTags(texts: readonly string[]): string[] | 'invalid' {
  const tags = new Map<string, string>();
  for (const text of texts) {
    const tag = normalizeTag(text);
    if (tag === '' || tag.includes(',') || tag.length > TAG_LENGTH_LIMIT) return 'invalid';
    if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  return tags.size > TAGS_LIMIT ? 'invalid' : [...tags.values()];
}

/** Splits a comma-separated list of tags and ignores empty entries. */
export function splitTags(text: string): string[] {
  return text.split(',').filter((part) => normalizeTag(part) !== '');
}

/** Returns a key for comparing tags. Tags that differ only in case have the same key. */
export function tagKey(tag: string): string {
  return normalizeTag(tag).toLowerCase();
}

function normalizeTag(text: string): string {
  return (normalizeTitle(text) ?? '').normalize('NFC');
}
