import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED } from './harness/extension-copy.ts';
import { openExtensionPage } from './harness/pages.ts';
import { tempFolder } from './harness/temp.ts';
import { givenChromium } from './harness/world.ts';

type Messages = Record<string, { message: string }>;

const shipped = (language: string): Messages =>
  JSON.parse(readFileSync(join(SHIPPED.chrome, '_locales', language, 'messages.json'), 'utf8'));

/**
 * The extension as it ships, but for one thing: what is kept for American English, which is the language of every browser
 * that tests start, are the strings of another language. Browsers come with few languages of their own.
 */
function speaking(messages: Messages): string {
  const copy = tempFolder('language');
  cpSync(SHIPPED.chrome, copy, { recursive: true });
  mkdirSync(join(copy, '_locales', 'en_US'));
  writeFileSync(join(copy, '_locales', 'en_US', 'messages.json'), JSON.stringify(messages));
  return copy;
}

/** What the options show in a browser: the language and direction they are in, and their title. */
async function optionsOf(extension: string) {
  const browser = await givenChromium({ extension });
  const page = await openExtensionPage(browser, 'options');
  await page.locator('h1').waitFor();
  const root = page.locator('html');
  return {
    lang: await root.getAttribute('lang'),
    dir: await root.getAttribute('dir'),
    title: await page.title(),
    description: await page.evaluate(() => chrome.runtime.getManifest().description),
  };
}

test.each([
  ['de', 'ltr'],
  ['ja', 'ltr'],
  ['ar', 'rtl'],
])('a browser shows the strings of its language, %s, in their direction, %s', async (language, dir) => {
  const strings = shipped(language);
  expect(await optionsOf(speaking(strings))).toEqual({
    lang: language,
    dir,
    title: strings.optionsTitle?.message,
    description: strings.extensionDescription?.message,
  });
});

test('a string that a language lacks is English', async () => {
  const { optionsTitle: _, ...others } = shipped('de');
  const shown = await optionsOf(speaking(others));
  expect(shown).toMatchObject({ lang: 'de', title: shipped('en').optionsTitle?.message });
});

test('in a language that the extension does not speak, a browser shows its default language', async () => {
  // English is the default. Where it is Japanese and there is no English, an English browser's language is unknown.
  const copy = tempFolder('language');
  cpSync(SHIPPED.chrome, copy, { recursive: true });
  rmSync(join(copy, '_locales', 'en'), { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  expect(manifest.default_locale).toBe('en');
  writeFileSync(file, JSON.stringify({ ...manifest, default_locale: 'ja' }));
  expect(await optionsOf(copy)).toMatchObject({ lang: 'ja', title: shipped('ja').optionsTitle?.message });
});
