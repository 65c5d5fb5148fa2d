import { uiLocale } from '../platform/strings.ts';

export { type MessageKey, number, type PluralKey, plural, t, uiLocale } from '../platform/strings.ts';

/** Things named one after the other: "a, b and c". */
export function list(items: string[]): string {
  return new Intl.ListFormat(uiLocale(), { type: 'conjunction' }).format(items);
}

/** Whole sentences behind each other, without the empty ones. Japanese and Chinese have no space between two. */
export function sentences(...texts: string[]): string {
  return texts.filter(Boolean).join(/^(ja|zh)/.test(uiLocale()) ? '' : ' ');
}
