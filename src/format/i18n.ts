import type messages from '#messages';
import browser from '../browser/browser.ts';

/** Keys of all messages. A key that does not exist does not compile. */
export type MessageKey = keyof typeof messages;

/** Keys of plural messages, without the suffix: `tabs` for `tabs__one` and `tabs__other`. */
export type PluralKey = MessageKey extends infer Key ? (Key extends `${infer Base}__other` ? Base : never) : never;

const RIGHT_TO_LEFT_LETTER = /\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** Returns a message in the user's language, with its placeholders filled in. */
export function t(key: MessageKey, ...values: string[]): string {
  return messageOf(key, values);
}

/**
 * Returns a plural message in the form for `count` (CLDR plural categories, from `Intl.PluralRules`). The first
 * placeholder is the formatted number.
 */
export function plural(key: PluralKey, count: number, ...values: string[]): string {
  const given = [formatNumber(count), ...values];
  const category = new Intl.PluralRules(t('languageTag')).select(count);
  // Forms that only very large numbers use, such as `many` in French, are not translated.
  return messageOf(`${key}__${category}`, given) || messageOf(`${key}__other`, given);
}

/** Formats a number in the user's locale. */
export function formatNumber(value: number, form?: Intl.NumberFormatOptions): string {
  const locale = uiLocale();
  if (form) return new Intl.NumberFormat(locale, form).format(value);
  // Cached, because long lists format many numbers.
  if (plain?.locale !== locale) plain = { locale, format: new Intl.NumberFormat(locale) };
  return plain.format.format(value);
}

let plain: { locale: string; format: Intl.NumberFormat } | undefined;

/**
 * Returns the locale for numbers, dates and lists: the browser's ("en-GB", "de-AT") if the messages are in its
 * language, otherwise the messages' own. So a page never mixes two languages.
 */
export function uiLocale(): string {
  const strings = t('languageTag');
  const browsers = browser.i18n.getUILanguage();
  return languageOf(browsers) === languageOf(strings) ? browsers : strings;
}

function messageOf(key: string, values: string[]): string {
  return browser.i18n.getMessage(key, values.map(isolated));
}

/** Isolates a value whose direction may differ from that of the sentence. */
function isolated(value: string): string {
  const turns = browser.i18n.getMessage('textDirection') === 'rtl' || RIGHT_TO_LEFT_LETTER.test(value);
  return turns ? `\u2068${value}\u2069` : value;
}

function languageOf(tag: string): string | undefined {
  return tag.split(/[-_]/)[0];
}

/** Formats a list: "a, b and c". */
export function formatList(items: string[]): string {
  return new Intl.ListFormat(uiLocale(), { type: 'conjunction' }).format(items);
}

/** Joins sentences and skips empty ones. Japanese and Chinese have no space between sentences. */
export function joinSentences(...texts: string[]): string {
  return texts.filter(Boolean).join(/^(ja|zh)/.test(uiLocale()) ? '' : ' ');
}
