import { TagList } from '@terse/contract/link-fields';

/**
 * Limits for the tags that the extension reads from a server. Some servers allow more and longer tags than our API.
 */
const MAX_LISTED_TAGS = 100;
const MAX_LISTED_LENGTH = 255;

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

/** Limits the number of a link's tags and the length of each tag, to save memory. */
export function listedTags(tags: string[]): string[] {
  return tags.slice(0, MAX_LISTED_TAGS).map((tag) => tag.slice(0, MAX_LISTED_LENGTH));
}

/** Drops empty and duplicate tags. Tags that differ only in case are duplicates; the first of them is kept. */
function withoutRepeats(tags: readonly string[]): string[] {
  const trimmed = tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  const keys = trimmed.map((tag) => tag.toLowerCase());
  return trimmed.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
