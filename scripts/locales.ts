// Puts every translation in English's order and gives it English's placeholders; drops what English no longer has, and
// names what is missing. Ends with 1 where something is.
import { keysOf, LANGUAGES, type Messages, readMessages, writeMessages } from './locales/messages.ts';

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
console.log(`${LANGUAGES.length} languages, ${missing} strings missing`);
process.exitCode = missing > 0 ? 1 : 0;
