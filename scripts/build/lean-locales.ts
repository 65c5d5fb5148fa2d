import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

interface Entry {
  message: string;
  description?: string;
  placeholders?: Record<string, { content: string; example?: string }>;
}

/**
 * Takes out of the built `_locales` what is written for translators: descriptions, examples, and the names of placeholders,
 * in whose places their numbers stand.
 */
export function leanLocales(): Plugin {
  let locales: string;
  return {
    name: 'terse:lean-locales',
    configResolved(config) {
      locales = resolve(config.root, config.build.outDir, '_locales');
    },
    // The public files were copied before.
    writeBundle() {
      for (const locale of readdirSync(locales)) makeLean(join(locales, locale, 'messages.json'));
    },
  };
}

function makeLean(file: string): void {
  const messages: Record<string, Entry> = JSON.parse(readFileSync(file, 'utf8'));
  const lean = Object.entries(messages).map(([key, entry]) => [key, { message: numbered(key, entry) }]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(lean)));
}

function numbered(key: string, { message, placeholders = {} }: Entry): string {
  let text = message;
  for (const [name, { content }] of Object.entries(placeholders)) {
    // A browser would read the digit as part of the number.
    if (new RegExp(`\\$${name}\\$\\d`, 'i').test(message)) throw new Error(`${key}: a digit follows $${name}$`);
    text = text.replaceAll(new RegExp(`\\$${name}\\$`, 'gi'), () => content);
  }
  return text;
}
