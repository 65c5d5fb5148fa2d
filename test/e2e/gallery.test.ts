import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGES } from '../../scripts/locales/messages.ts';
import { ALL_TESTS } from '../../scripts/test/which-tests.ts';
import { OF_COLOURS, violations } from '../gallery/look/axe.ts';
import { overflowing } from '../gallery/look/overflow.ts';
import { reach, statesOf } from '../gallery/look/reach.ts';
import { type Gallery, openGallery } from '../gallery/look/server.ts';
import { heightChanges, jumps, placesIn, STEADY } from '../gallery/look/steady.ts';
import { SHOTS } from '../gallery/shots.ts';
import { sharedChromium } from './harness/dashboard.ts';
import { tempFolder } from './harness/folders.ts';

/** Minimum window width in CSS pixels that the pages support: a small phone, or a desktop window at 400 % zoom. */
const NARROW = 320;
/** Titles and names that are too long for any label. A page may cut them off but must not become wider. */
const HOSTILE = /hostile/;

/**
 * Pseudo-language with very long texts. `npm run test:all` tests the layout in all languages, and forced colors too.
 */
const LONG = 'long';
const OTHER_LANGUAGES = ALL_TESTS ? LANGUAGES : [];

let gallery: Gallery;
let browser: Browser;

beforeAll(async () => {
  gallery = await openGallery(tempFolder('gallery'));
  browser = await sharedChromium();
});

afterAll(async () => {
  await gallery?.close();
});

/** Shows each state of each page in a narrow window, and returns the faults that `faultsOf` finds. */
async function sweep(
  lang: string,
  faultsOf: (page: Page, state: string) => Promise<string[]>,
  forcedColors: 'active' | 'none' = 'none',
): Promise<string[]> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    forcedColors,
    viewport: { width: NARROW, height: 600 },
  });
  const page = await context.newPage();
  const found: string[] = [];
  for (const name of Object.keys(SHOTS)) {
    await page.goto(`${gallery.address}${name}.html?lang=${lang}&theme=light`);
    for (const [state, steps] of Object.entries(await statesOf(page))) {
      await reach(page, state, steps);
      const faults = await faultsOf(page, state);
      found.push(...faults.map((fault) => `${name} ${state} ${lang}: ${fault}`));
    }
  }
  await context.close();
  return found;
}

async function cutOffIn(page: Page, state: string): Promise<string[]> {
  const cutOff = await page.evaluate(overflowing);
  return HOSTILE.test(state) ? cutOff.filter((one) => one.startsWith('the page')) : cutOff;
}

/** Users of speech control speak the visible label, so the accessible name must contain it. Off by default in axe. */
const SPOKEN = ['label-content-name-mismatch'];

test('no text is cut off in a narrow window, and axe finds no violations in the light and dark theme', {
  timeout: 600_000,
}, async () => {
  const found = await sweep(LONG, async (page, state) => {
    const cutOff = await cutOffIn(page, state);
    await page.setViewportSize({ width: 800, height: 600 });
    const inLight = await violations(page);
    await page.evaluate(setTheme, 'dark');
    // Only the rules about colors can have another result in the other theme.
    const inDark = await violations(page, [...OF_COLOURS, ...SPOKEN]);
    await page.evaluate(setTheme, 'light');
    await page.setViewportSize({ width: NARROW, height: 600 });
    return [...cutOff, ...inLight, ...inDark.map((one) => `dark: ${one}`)];
  });
  expect(found).toEqual([]);
});

test.each(OTHER_LANGUAGES)('no text is cut off in a narrow window: %s', async (lang) => {
  const found = await sweep(lang, async (page, state) => {
    return [...(await cutOffIn(page, state)), ...(await violations(page, SPOKEN))];
  });
  expect(found).toEqual([]);
});

/** Shows each named state of the popup in a window of the size that browsers give it. */
async function eachOfPopup(lang: string, states: string[], look: (page: Page, state: string) => Promise<void>) {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 360, height: 600 } });
  const page = await context.newPage();
  await page.goto(`${gallery.address}popup.html?lang=${lang}`);
  const steps = await statesOf(page);
  for (const state of states) {
    await reach(page, state, steps[state] ?? {});
    await look(page, state);
  }
  await context.close();
}

test.each(ALL_TESTS ? ['en', ...LANGUAGES] : ['ar'])(
  'nothing in the popup moves when its state changes from ready to done, waiting or failed: %s',
  async (lang) => {
    const places = new Map<string, string>();
    await eachOfPopup(lang, STEADY, async (page, state) => {
      places.set(state, await placesIn(page, state));
    });
    expect(places.size).toBe(STEADY.length);
    expect(jumps(places)).toEqual([]);
    await eachOfPopup(lang, ['ready'], async (page) => expect(await heightChanges(page)).toEqual([]));
  },
);

test('the progress of a list is visible with forced colors', async () => {
  const page = await browser.newPage({ forcedColors: 'active' });
  await page.goto(`${gallery.address}queue.html?state=list-progress`);
  const bar = page.locator('progress');
  const before = await bar.screenshot();
  await bar.evaluate((one) => one.setAttribute('value', '30'));
  expect(before.equals(await bar.screenshot())).toBe(false);
  await page.close();
});

test('lines of text in the popup do not overlap if only the fonts are doubled', async () => {
  const overlaps: string[] = [];
  await eachOfPopup('en', STEADY, async (page, state) => {
    const found = await page.evaluate(() => {
      for (const [name, size] of Object.entries({ '-small': 24, '': 26, '-large': 30, '-short': 38 }))
        document.documentElement.style.setProperty(`--text${name}`, `${size}px`);
      const bottomOf = (element: Element | null) => element?.getBoundingClientRect().bottom ?? 0;
      const buttons = document.querySelector('.stage-actions')?.getBoundingClientRect().top ?? 0;
      const squeezed = [...document.querySelectorAll('.popup *')].filter((element) => {
        const { fontSize, lineHeight } = getComputedStyle(element);
        return Number.parseFloat(lineHeight) < Number.parseFloat(fontSize);
      });
      const isCovered = bottomOf(document.querySelector('.stage-text')?.lastElementChild ?? null) > buttons;
      return [...squeezed.map((element) => element.getAttribute('class')), ...(isCovered ? ['main area'] : [])];
    });
    overlaps.push(...found.map((name) => `${state}: ${name}`));
  });
  expect(overlaps).toEqual([]);
});

test('the text of links begins at the right if the language is written from right to left', async () => {
  const page = await browser.newPage();
  await page.goto(`${gallery.address}links.html?lang=ar&state=some`);
  const line = page.locator('.link .line').first();
  expect(await line.evaluate((one) => getComputedStyle(one).textAlign)).toBe('right');
  await page.close();
});

test.each([LONG, ...OTHER_LANGUAGES])(
  'the submit button of the link form is visible in a popup 600 pixels high: %s',
  async (lang) => {
    const FORMS = ['form', 'form-tracking', 'form-no-options'];
    const bottoms: number[] = [];
    await eachOfPopup(lang, FORMS, async (page) => {
      const button = page.locator('.link-form [type="submit"]');
      bottoms.push(await button.evaluate((one) => one.getBoundingClientRect().bottom));
    });
    expect(bottoms).toHaveLength(FORMS.length);
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(600);
  },
);

/** Runs in the page. */
function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
}

if (ALL_TESTS) {
  test('text is readable with forced colors', async () => {
    expect(await sweep('en', (page) => violations(page, ['color-contrast']), 'active')).toEqual([]);
  });
}
