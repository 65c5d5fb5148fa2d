import type { Page } from 'playwright-core';

/**
 * Steps from the loaded page to a state. `press` names buttons, menu items and checkboxes in English, or selects an
 * element by `#id`.
 */
export interface Steps {
  type?: Record<string, string>;
  press?: string | string[];
  query?: string;
  /** Selector of an element that appears when the page has loaded the state's data. */
  shows?: string;
}

const PATIENCE = 10_000;

declare const show: (state: string) => void;
declare const namesOf: (english: string) => string[];

export function statesOf(page: Page): Promise<Record<string, Steps>> {
  return page.evaluate(() => JSON.parse(document.documentElement.dataset.states ?? ''));
}

export async function reach(page: Page, state: string, { type = {}, press, query, shows }: Steps): Promise<void> {
  await page.evaluate((wanted) => show(wanted), state);
  for (const [selector, text] of Object.entries(type)) await page.locator(selector).fill(text);
  for (const name of [press ?? []].flat()) await pressed(page, name);
  if (/QR code/.test(String(press))) await page.locator('.qr path:not([d=""])').waitFor();
  if (shows) await page.locator(shows).waitFor();
  if (query) await page.getByRole('searchbox').fill(query);
}

/**
 * Presses the button, menu item or checkbox whose name is a translation of `name`. If several match, presses the last
 * one.
 */
async function pressed(page: Page, name: string): Promise<void> {
  if (name.startsWith('#')) return page.locator(name).click({ timeout: PATIENCE });
  const names = await page.evaluate((english) => namesOf(english), name);
  const control = (text: string) => {
    const named = { name: text, exact: true };
    return page.getByRole('button', named).or(page.getByRole('menuitem', named)).or(page.getByRole('checkbox', named));
  };
  const controls = names.reduce((all, text) => all.or(control(text)), control(name));
  await controls.last().click({ timeout: PATIENCE });
}
