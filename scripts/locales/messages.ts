import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A message in the format of browser extensions. Only English messages have descriptions and examples for
 * translators.
 */
export interface Entry {
  message: string;
  description?: string;
  placeholders?: Record<string, { content: string; example?: string }>;
}

export type Messages = Record<string, Entry>;

const FOLDER = join(import.meta.dirname, '..', '..', 'public', '_locales');

/**
 * Suffix of a plural message's key. A message that depends on a number has one key per plural form, such as
 * `tabs__one` and `tabs__other`.
 */
const FORM = /__(zero|one|two|few|many|other)$/;

export const LANGUAGES = readdirSync(FOLDER).filter((language) => language !== 'en');

export function readMessages(language: string): Messages {
  return JSON.parse(readFileSync(join(FOLDER, language, 'messages.json'), 'utf8'));
}

export function writeMessages(language: string, messages: Messages): void {
  writeFileSync(join(FOLDER, language, 'messages.json'), `${JSON.stringify(messages, null, 2)}\n`);
}

/** Returns the BCP 47 tag for a locale folder, such as "pt-BR" for pt_BR. */
export function tagOf(language: string): string {
  return language.replace('_', '-');
}

/**
 * Returns the message keys that a language needs, each with the key of the English text to translate. The keys are in
 * the order of the English file. A language needs only the plural forms for whole numbers below 1,000.
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

/** True if the message is allowed to omit the number's placeholder, as in "one link" or "two links". */
export function mayLeaveOutCount(key: string): boolean {
  return /__(zero|one|two)$/.test(key);
}

function formsOf(tag: string): string[] {
  const rules = new Intl.PluralRules(tag);
  const used = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
  return rules.resolvedOptions().pluralCategories.filter((form) => used.has(form));
}

/**
 * File that maps each message key to a hash of the English text that was translated. `npm run locales` updates the
 * file.
 */
const TRANSLATED = join(import.meta.dirname, 'translated.json');

export function readTranslated(): Record<string, string> {
  return JSON.parse(readFileSync(TRANSLATED, 'utf8'));
}

export function writeTranslated(translated: Record<string, string>): void {
  writeFileSync(TRANSLATED, `${JSON.stringify(translated, null, 2)}\n`);
}

export function hashOf({ message }: Entry): string {
  return createHash('sha256').update(message).digest('hex').slice(0, 8);
}

/** Returns the keys of messages whose English text has changed since they were translated. */
export function staleKeys(english: Messages, translated: Record<string, string>): string[] {
  return Object.entries(english)
    .filter(([key, entry]) => translated[key] !== hashOf(entry))
    .map(([key]) => key);
}
