import type messages from '#messages';
import browser from '../browser/browser.ts';

export type MessageKey = keyof typeof messages;

/** Keys of plural messages, without the suffix. For example, `tabs` is the key of `tabs__one` and `tabs__other`. */
export type PluralKey = MessageKey extends infer Key ? (Key extends `${infer Base}__other` ? Base : never) : never;

const RIGHT_TO_LEFT_LETTER = /\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** Returns a message in the user's language, with its placeholders replaced by `values`. */
export function t(key: MessageKey, ...values: string[]): string {
  return messageOf(key, values);
}

/**
 * Returns a message in the plural form (CLDR category) for `count`. The first placeholder of the message is the
 * formatted count.
 */
export function plural(key: PluralKey, count: number, ...values: string[]): string {
  const given = [formatNumber(count), ...values];
  const category = new Intl.PluralRules(t('languageTag')).select(count);
  // The translations lack the plural forms of very large numbers (in French: `many`). The `other` form replaces them.
  return messageOf(`${key}__${category}`, given) || messageOf(`${key}__other`, given);
}

export function formatNumber(value: number, form?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(uiLocale(), form);
}

/**
 * Returns the locale for numbers, dates and lists. The browser's locale ("en-GB") is used only if its language is
 * also the language of the messages. Otherwise, pages would mix two languages.
 */
export function uiLocale(): string {
  const strings = t('languageTag');
  const browsers = browser.i18n.getUILanguage();
  return languageOf(browsers) === languageOf(strings) ? browsers : strings;
}

function messageOf(key: string, values: string[]): string {
  return browser.i18n.getMessage(key, values.map(isolated));
}

/**
 * Adds Unicode isolation characters to a value if its text direction may differ from that of the surrounding
 * sentence.
 */
function isolated(value: string): string {
  const turns = browser.i18n.getMessage('textDirection') === 'rtl' || RIGHT_TO_LEFT_LETTER.test(value);
  return turns ? `\u2068${value}\u2069` : value;
}

function languageOf(tag: string): string | undefined {
  return tag.split(/[-_]/)[0];
}

/** Joins the non-empty sentences with spaces, or without spaces in Japanese and Chinese. */
export function joinSentences(...texts: string[]): string {
  return texts.filter(Boolean).join(/^(ja|zh)/.test(uiLocale()) ? '' : ' ');
}
