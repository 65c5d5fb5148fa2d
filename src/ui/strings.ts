import type messages from '#messages';
import browser from '../platform/browser.ts';

/** Every string of the pages, by its key in `_locales`: a key that does not exist does not compile. */
export type MessageKey = keyof typeof messages;

/** The string in the person's language, with its placeholders filled in. */
export function t(key: MessageKey, ...values: string[]): string {
  return browser.i18n.getMessage(key, values);
}
