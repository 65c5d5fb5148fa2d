import type messages from '#messages';
import browser from '../browser/browser.ts';

/** Every string, by its key in `_locales`: a key that does not exist does not compile. */
export type MessageKey = keyof typeof messages;

/** Strings that a number changes, by what their keys have in common: `tabs` for `tabs__one`, `tabs__other`. */
export type PluralKey = MessageKey extends infer Key ? (Key extends `${infer Base}__other` ? Base : never) : never;

const RIGHT_TO_LEFT_LETTER = /\p{Script=Hebrew}|\p{Script=Arabic}/u;

/** The string in the person's language, with its placeholders filled in. */
export function t(key: MessageKey, ...values: string[]): string {
  return messageOf(key, values);
}

/**
 * The string for so many of something, in the form that the language has for the number (CLDR's plural categories, as
 * `Intl.PluralRules` names them). Its first placeholder is the number, as the language writes it.
 */
export function plural(key: PluralKey, count: number, ...values: string[]): string {
  const given = [formatNumber(count), ...values];
  const category = new Intl.PluralRules(t('languageTag')).select(count);
  // Forms for numbers that nobody has so many of, such as the one of French for a million, are not written.
  return messageOf(`${key}__${category}`, given) || messageOf(`${key}__other`, given);
}

/** A number as the person's language writes it. */
export function formatNumber(value: number, form?: Intl.NumberFormatOptions): string {
  const locale = uiLocale();
  if (form) return new Intl.NumberFormat(locale, form).format(value);
  // A long list writes many: what writes them is made once.
  if (plain?.locale !== locale) plain = { locale, format: new Intl.NumberFormat(locale) };
  return plain.format.format(value);
}

let plain: { locale: string; format: Intl.NumberFormat } | undefined;

/**
 * The locale for numbers, dates and lists: the browser's own, where the strings are in its language ("en-GB", "de-AT"),
 * else that of the strings. So a page is never in two languages.
 */
export function uiLocale(): string {
  const strings = t('languageTag');
  const browsers = browser.i18n.getUILanguage();
  return languageOf(browsers) === languageOf(strings) ? browsers : strings;
}

function messageOf(key: string, values: string[]): string {
  return browser.i18n.getMessage(key, values.map(isolated));
}

/** A value that runs the other way than the sentence around it, or may: isolated, so that it turns nothing around. */
function isolated(value: string): string {
  const turns = browser.i18n.getMessage('textDirection') === 'rtl' || RIGHT_TO_LEFT_LETTER.test(value);
  return turns ? `\u2068${value}\u2069` : value;
}

function languageOf(tag: string): string | undefined {
  return tag.split(/[-_]/)[0];
}

/** Things named one after the other: "a, b and c". */
export function formatList(items: string[]): string {
  return new Intl.ListFormat(uiLocale(), { type: 'conjunction' }).format(items);
}

/** Whole sentences behind each other, without the empty ones. Japanese and Chinese have no space between two. */
export function joinSentences(...texts: string[]): string {
  return texts.filter(Boolean).join(/^(ja|zh)/.test(uiLocale()) ? '' : ' ');
}
