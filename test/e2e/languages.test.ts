import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ALL_TESTS } from '../../scripts/test/which-tests.ts';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { launchFirefox } from './harness/firefox/firefox.ts';
import { copyOf, SHIPPED } from './harness/folders.ts';
import { givenChromium } from './harness/world.ts';

// Firefox can change its language while it runs. Debian's Chromium supports only American English, so its tests
// replace the English texts with another language.

type Messages = Record<string, { message: string }>;

const LOCALES = join(SHIPPED.chrome, '_locales');

const shipped = (language: string): Messages =>
  JSON.parse(readFileSync(join(LOCALES, language, 'messages.json'), 'utf8'));

/**
 * Returns the options page's language, direction and title, and the extension's name and description in the browser.
 */
async function shownOn(options: BrowserPage) {
  await options.locator('h1').waitFor();
  return options.evaluate(`({
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
    title: document.title,
    description: chrome.runtime.getManifest().description,
  })`);
}

/** Returns the expected values in a language. */
const inStrings = ({ languageTag, textDirection, optionsTitle, extensionDescription }: Messages) => ({
  lang: languageTag?.message,
  dir: textDirection?.message,
  title: optionsTitle?.message,
  description: extensionDescription?.message,
});

test('Firefox shows the messages of its language, or of the default language', async () => {
  const firefox = await launchFirefox({ extension: SHIPPED.firefox });
  onTestFinished(() => firefox.kill());
  const languages = readdirSync(LOCALES);
  expect(languages).toHaveLength(12);
  // The extension reloads for each language.
  const shown = ALL_TESTS ? languages : ['ar', 'pt_BR'];
  for (const [tag, language] of [...shown.map((one) => [one.replace('_', '-'), one] as const), ['sv', 'en'] as const]) {
    await firefox.speak(tag);
    const options = await firefox.openExtensionPage('options');
    expect(await shownOn(options), tag).toEqual(inStrings(shipped(language)));
    await options.close();
  }
});

async function inChromium(extension: string) {
  return shownOn(await (await givenChromium({ extension })).openExtensionPage('options'));
}

/** Copies the build and replaces its American English texts with another language. */
function speaking(messages: Messages): string {
  const copy = copyOf(SHIPPED.chrome);
  mkdirSync(join(copy, '_locales', 'en_US'));
  writeFileSync(join(copy, '_locales', 'en_US', 'messages.json'), JSON.stringify(messages));
  return copy;
}

test('Chromium shows the messages of its language, right to left if needed, and English ones that the language lacks', async () => {
  const { optionsTitle: _, ...others } = shipped('ar');
  const title = shipped('en').optionsTitle?.message;
  expect(await inChromium(speaking(others))).toEqual({ ...inStrings(others), dir: 'rtl', title });
});
