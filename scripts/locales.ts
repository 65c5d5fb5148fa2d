// Updates the translations: sorts the keys of each language in the order of the English file, copies the
// placeholders, and removes keys that the English file no longer has. Lists missing and outdated translations, and
// exits with 1 if there are any. If keys are given as arguments, marks their translations as up to date.
import {
  hashOf,
  keysOf,
  LANGUAGES,
  type Messages,
  readMessages,
  readTranslated,
  staleKeys,
  writeMessages,
  writeTranslated,
} from './locales/messages.ts';

const english = readMessages('en');
let missing = 0;
for (const language of LANGUAGES) {
  const translated = readMessages(language);
  const messages: Messages = {};
  for (const [key, source] of keysOf(language, english)) {
    const message = translated[key]?.message;
    if (message === undefined) {
      console.log(`${language}: ${key} is missing: ${english[source]?.message}`);
      missing += 1;
      continue;
    }
    const placeholders = Object.entries(english[source]?.placeholders ?? {});
    const contents = Object.fromEntries(placeholders.map(([name, { content }]) => [name, { content }]));
    messages[key] = { message, ...(placeholders.length > 0 && { placeholders: contents }) };
  }
  writeMessages(language, messages);
}
const upToDate = new Set(process.argv.slice(2));
const before = readTranslated();
const translated = Object.fromEntries(
  Object.entries(english).flatMap(([key, entry]) => {
    const isNew = !(key in before) && missing === 0;
    const hash = isNew || upToDate.has(key) ? hashOf(entry) : before[key];
    return hash === undefined ? [] : [[key, hash]];
  }),
);
writeTranslated(translated);
const stale = staleKeys(english, translated);
for (const key of stale) console.log(`${key} is stale: translate it again, then run \`npm run locales -- ${key}\``);
console.log(`${LANGUAGES.length} languages, ${missing} strings missing, ${stale.length} stale`);
process.exitCode = missing + stale.length > 0 ? 1 : 0;
