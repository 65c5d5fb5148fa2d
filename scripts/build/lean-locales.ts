import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

interface Entry {
  message: string;
  description?: string;
  placeholders?: Record<string, { content: string; example?: string }>;
}

/** Takes out of the built `_locales` what is written for translators: descriptions and examples. */
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
  const lean = Object.entries(messages).map(([key, { message, placeholders }]) => [
    key,
    { message, ...(placeholders && { placeholders: contentsOf(placeholders) }) },
  ]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(lean)));
}

function contentsOf(placeholders: NonNullable<Entry['placeholders']>) {
  return Object.fromEntries(Object.entries(placeholders).map(([name, { content }]) => [name, { content }]));
}
