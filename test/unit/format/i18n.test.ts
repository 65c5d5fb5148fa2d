import { afterEach, describe, expect, test, vi } from 'vitest';

const strings: Record<string, string> = {};
const ui = { language: 'en-GB' };

vi.mock('../../../src/browser/browser.ts', () => ({
  default: {
    i18n: {
      getMessage: (key: string, values: string[] = []) =>
        (strings[key] ?? '').replace(/\$(\d)/g, (_, index: string) => values[Number(index) - 1] ?? ''),
      getUILanguage: () => ui.language,
    },
  },
}));

const { formatNumber, joinSentences, plural, t, uiLocale } = await import('../../../src/format/i18n.ts');

function given(uiLanguage: string, languageTag: string, more: Record<string, string> = {}): void {
  ui.language = uiLanguage;
  Object.assign(strings, { languageTag, textDirection: 'ltr', ...more });
}

afterEach(() => {
  for (const key of Object.keys(strings)) delete strings[key];
});

describe('a plural message', () => {
  const POLISH = {
    notifyManyStuck__one: '$1 adres',
    notifyManyStuck__few: '$1 adresy',
    notifyManyStuck__many: '$1 adresów',
  };

  test.each([
    [1, '1 adres'],
    [3, '3 adresy'],
    [12, '12 adresów'],
  ])("has the language's plural form for %i", (count, expected) => {
    given('pl', 'pl', POLISH);
    expect(plural('notifyManyStuck', count)).toBe(expected);
  });

  test('falls back to the form `other` if a rare form is missing', () => {
    given('fr', 'fr', { notifyManyStuck__one: '$1 adresse', notifyManyStuck__other: '$1 adresses' });
    expect(plural('notifyManyStuck', 1_000_000)).toMatch(/^1.000.000 adresses$/);
  });

  test('uses the rules of its own language, not of the browser', () => {
    given('pl', 'en', { notifyManyStuck__one: '$1 address', notifyManyStuck__other: '$1 addresses' });
    expect(plural('notifyManyStuck', 3)).toBe('3 addresses');
  });
});

describe('numbers', () => {
  test("are formatted for the browser's region if the browser uses the messages' language", () => {
    given('de-CH', 'de');
    expect(uiLocale()).toBe('de-CH');
    expect(formatNumber(12_345)).toMatch(/^12['’]345$/);
  });

  test("are formatted in the messages' language if the browser uses another language", () => {
    given('uk', 'en');
    expect(formatNumber(12_345)).toBe('12,345');
  });
});

describe('inserted text', () => {
  test('is isolated in a right-to-left message', () => {
    given('he', 'he', { textDirection: 'rtl', copiedNamed: '$1 הועתק' });
    expect(t('copiedNamed', 'https://go.example/')).toBe('\u2068https://go.example/\u2069 הועתק');
  });

  test('is isolated if it is right-to-left itself', () => {
    given('en', 'en', { cancelNamed: 'Cancel: $1' });
    expect(t('cancelNamed', 'שלום')).toBe('Cancel: \u2068שלום\u2069');
    expect(t('cancelNamed', 'Hello')).toBe('Cancel: Hello');
  });
});

test.each([
  ['en', 'First. Second.'],
  ['ja', 'First.Second.'],
])('joined sentences in %s', (language, expected) => {
  given(language, language);
  expect(joinSentences('First.', '', 'Second.')).toBe(expected);
});
