import { TagList } from '@terse/contract/link-fields';

/** Commas on Arabic, Chinese and Japanese keyboards. */
const OTHER_COMMAS = /[،，、]/;

/** Formats tags for a text field or a file. */
export function formatTags(tags: readonly string[] = []): string {
  return tags.join(', ');
}

/**
 * Reads the tags that a user typed, separated by commas. Returns null if there are too many tags or if a tag is too
 * long.
 *
 * @param known tags that the link already has. A known tag is not split, even if it contains an Arabic, Chinese or
 * Japanese comma.
 */
export function readTags(text: string, known: readonly string[] = []): string[] | null {
  const parts = text.split(',').flatMap((part) => (known.includes(part.trim()) ? [part] : part.split(OTHER_COMMAS)));
  return TagList.safeParse(withoutRepeats(parts)).data ?? null;
}

/** Drops empty and duplicate tags. Tags that differ only in case are duplicates; the first of them is kept. */
function withoutRepeats(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  const keys = trimmed.map((tag) => tag.toLowerCase());
  return trimmed.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
