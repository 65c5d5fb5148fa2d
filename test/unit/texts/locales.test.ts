import { describe, expect, test } from 'vitest';
import {
  type Entry,
  keysOf,
  LANGUAGES,
  mayLeaveOutCount,
  readMessages,
  readTranslated,
  staleKeys,
  tagOf,
} from '../../../scripts/locales/messages.ts';

const english = readMessages('en');

/** Limits of Chrome's store in characters. Mozilla's limits are higher. */
const LIMITS = { extensionName: 75, extensionDescription: 132 };

const RIGHT_TO_LEFT = ['ar', 'he'];

/** Returns the placeholder names in a message, including duplicates. */
function namedIn(message: string): string[] {
  return [...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase()).sort();
}

/** Returns the faults that a message has in any language. */
function faultsOf(key: string, { message, placeholders = {} }: Entry): string[] {
  const faults = {
    'is empty': message === '',
    'has a space too many': /^\s|\s$|\s\s/.test(message),
    'contains HTML': /<[a-z/!]|&#?\w+;/i.test(message),
    'contains a dollar sign without a placeholder': message.replace(/\$\w+\$/g, '').includes('$'),
    'has three dots or straight quotation marks': /\.\.\.|"/.test(message),
    'contains a character for text direction': /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(message),
    'is longer than the limit': message.length > (LIMITS[key as keyof typeof LIMITS] ?? 1_000),
    'names an unknown placeholder': namedIn(message).some((name) => !(name in placeholders)),
  };
  return Object.entries(faults)
    .filter(([, is]) => is)
    .map(([fault]) => `${key} ${fault}: ${message}`);
}

/**
 * Returns how a message ends: as a sentence, a question, an ellipsis or a colon. All languages must agree on the
 * ending.
 */
function endOf(message: string): string {
  const last = message.replace(/[)”»]$/, '').at(-1) ?? '';
  return { '.': '.', '。': '.', '?': '?', '؟': '?', '？': '?', '…': '…', ':': ':', '：': ':' }[last] ?? '';
}

test('English is well formed', () => {
  expect(Object.entries(english).flatMap(([key, entry]) => faultsOf(key, entry))).toEqual([]);
});

test('English describes every message and placeholder for translators, and uses each placeholder', () => {
  for (const [key, { message, description, placeholders = {} }] of Object.entries(english)) {
    expect(description, key).toBeTruthy();
    expect([...new Set(namedIn(message))], key).toEqual(Object.keys(placeholders).sort());
    for (const { content, example } of Object.values(placeholders)) {
      expect([content, example], key).toEqual([expect.stringMatching(/^\$\d$/), expect.stringMatching(/./)]);
    }
  }
});

test('no translation is based on an earlier English text', () => {
  expect(staleKeys(english, readTranslated())).toEqual([]);
});

test('a translation is outdated as soon as its English text changes', () => {
  const [key = ''] = Object.keys(english);
  const changed = { ...english, [key]: { message: `${english[key]?.message}!` } };
  expect(staleKeys(changed, readTranslated())).toEqual([key]);
});

describe.each(LANGUAGES)('%s', (language) => {
  const messages = readMessages(language);
  const keys = keysOf(language, english);
  const entries = Object.entries(messages);
  const pairs = entries.map(([key, entry]) => [key, entry, english[keys.get(key) ?? ''] ?? { message: '' }] as const);

  test('is well formed', () => {
    expect(entries.flatMap(([key, entry]) => faultsOf(key, entry))).toEqual([]);
  });

  test('has every English message in the same order, with all plural forms, and no others', () => {
    expect(entries.map(([key]) => key)).toEqual([...keys.keys()]);
  });

  test('uses the same placeholders as English', () => {
    const contents = ({ placeholders = {} }: Entry) =>
      Object.fromEntries(Object.entries(placeholders).map(([name, { content }]) => [name, content]));
    for (const [key, entry, source] of pairs) {
      expect([key, contents(entry)]).toEqual([key, contents(source)]);
      const expected = namedIn(source.message);
      const withoutCount = expected.filter((name) => source.placeholders?.[name]?.content !== '$1');
      const named = namedIn(entry.message);
      const mayBe = mayLeaveOutCount(key) ? [expected, withoutCount] : [expected];
      expect(mayBe, `${key}: ${entry.message}`).toContainEqual(named);
    }
  });

  test('ends each message like the English one, as a sentence or as a label', () => {
    const wrong = pairs.filter(([, entry, source]) => endOf(entry.message) !== endOf(source.message));
    expect(wrong.map(([key, entry, source]) => [key, entry.message, source.message])).toEqual([]);
  });

  test('translates nearly all messages', () => {
    const words = pairs.filter(([, , source]) =>
      /[a-z]{3}/.test(source.message.replace(/\$\w+\$|URL|QR|API|PNG|CSV/g, '')),
    );
    const same = words.filter(([, entry, source]) => entry.message === source.message);
    expect(same.length, same.map(([, entry]) => entry.message).join(' | ')).toBeLessThan(0.07 * words.length);
  });

  test('contains its language tag and text direction', () => {
    expect(messages.languageTag?.message).toBe(tagOf(language));
    expect(messages.textDirection?.message).toBe(RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');
    expect(messages.extensionName).toEqual({ message: english.extensionName?.message });
  });
});
