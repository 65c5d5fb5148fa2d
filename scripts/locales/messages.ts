import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A string as browsers take it. Descriptions and examples are for translators, and in English alone. */
export interface Entry {
  message: string;
  description?: string;
  placeholders?: Record<string, { content: string; example?: string }>;
}

export type Messages = Record<string, Entry>;

const FOLDER = join(import.meta.dirname, '..', '..', 'public', '_locales');

/** A string that a number changes has a key for each of its forms: `tabs__one`, `tabs__other`. */
const FORM = /__(zero|one|two|few|many|other)$/;

/** The folders in `_locales` other than English, which the others are held against. */
export const LANGUAGES = readdirSync(FOLDER).filter((language) => language !== 'en');

export function readMessages(language: string): Messages {
  return JSON.parse(readFileSync(join(FOLDER, language, 'messages.json'), 'utf8'));
}

export function writeMessages(language: string, messages: Messages): void {
  writeFileSync(join(FOLDER, language, 'messages.json'), `${JSON.stringify(messages, null, 2)}\n`);
}

/** The BCP 47 tag of a folder's language: "pt-BR" for pt_BR. */
export function tagOf(language: string): string {
  return language.replace('_', '-');
}

/**
 * The keys that a language has to have, in English's order, each with the English key it translates. Of a string that a
 * number changes those are the forms that its whole numbers below a million take: none of `many` in French, where it is
 * for the million, and none of `other` in Polish, where it is for fractions.
 */
export function keysOf(language: string, english: Messages): Map<string, string> {
  const forms = formsOf(tagOf(language));
  const keys = new Map<string, string>();
  for (const key of Object.keys(english)) {
    if (!FORM.test(key)) keys.set(key, key);
    else if (key.endsWith('__other')) for (const form of forms) keys.set(key.replace(FORM, `__${form}`), key);
  }
  return keys;
}

/** Whether a string is the form for a number that it may leave out: "one link", "two links". */
export function mayLeaveOutCount(key: string): boolean {
  return /__(zero|one|two)$/.test(key);
}

function formsOf(tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  const used = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
  return rules.resolvedOptions().pluralCategories.filter((form) => used.has(form));
}

/** English texts that the translations were made from, as a hash by key. `npm run locales` keeps it. */
const TRANSLATED = join(import.meta.dirname, 'translated.json');

export function readTranslated(): Record<string, string> {
  return JSON.parse(readFileSync(TRANSLATED, 'utf8'));
}

export function writeTranslated(translated: Record<string, string>): void {
  writeFileSync(TRANSLATED, `${JSON.stringify(translated, null, 2)}\n`);
}

/** Returns a short hash of an English text. */
export function hashOf({ message }: Entry): string {
  return createHash('sha256').update(message).digest('hex').slice(0, 8);
}

/** The keys whose English has changed since it was translated. */
export function staleKeys(english: Messages, translated: Record<string, string>): string[] {
  return Object.entries(english)
    .filter(([key, entry]) => translated[key] !== hashOf(entry))
    .map(([key]) => key);
}
