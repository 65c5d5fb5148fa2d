/// <reference types="vite/client" />

import english from '../../public/_locales/en/messages.json' with { type: 'json' };
import type { Messages } from './browser-stub.ts';

const files = import.meta.glob<Messages>('../../public/_locales/*/messages.json', { eager: true, import: 'default' });

/**
 * Messages of each language by its folder name. The additional language `long` is English with texts that are about
 * a third longer, to test the layout.
 */
export const LANGUAGES: Record<string, Messages> = {
  ...Object.fromEntries(Object.entries(files).map(([path, messages]) => [path.split('/').at(-2), messages])),
  long: Object.fromEntries(Object.entries(english as Messages).map(([key, entry]) => [key, lengthened(key, entry)])),
};

/** Writes each vowel twice. A label that is part of a longer message stays a part of it. */
function lengthened(key: string, entry: Messages[string]): Messages[string] {
  if (key === 'languageTag' || key === 'textDirection') return entry;
  const message = entry.message.replace(/\$\w+\$|[aeiouy]/gi, (found) => (found.length > 1 ? found : found + found));
  return { ...entry, message };
}
