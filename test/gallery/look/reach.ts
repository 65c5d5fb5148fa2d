import type { Page } from 'playwright-core';

/** Steps from the loaded page to a state. The names of buttons, menu items and checkboxes are English in every language. */
export interface Steps {
  type?: Record<string, string>;
  press?: string | string[];
  query?: string;
  /** Selector of an element that exists once the state is reached, because a page may load it first. */
  shows?: string;
}

/** Maximum time to wait for a button, in milliseconds. */
const PATIENCE = 10_000;

declare const show: (state: string) => void;
declare const namesOf: (english: string) => string[];

/** Returns the states of the open gallery page by name. */
export function statesOf(page: Page): Promise<Record<string, Steps>> {
  return page.evaluate(() => JSON.parse(document.documentElement.dataset.states ?? ''));
}

/** Shows a state in the open page and performs its steps. */
export async function reach(page: Page, state: string, { type = {}, press, query, shows }: Steps): Promise<void> {
  await page.evaluate((wanted) => show(wanted), state);
  for (const [selector, text] of Object.entries(type)) await page.locator(selector).fill(text);
  for (const name of [press ?? []].flat()) await pressed(page, name);
  if (/QR code/.test(String(press))) await page.locator('.qr path:not([d=""])').waitFor();
  if (shows) await page.locator(shows).waitFor();
  if (query) await page.getByRole('searchbox').fill(query);
}

/** Presses the button, menu item or checkbox with a translation of an English name; the last one if several match. */
async function pressed(page: Page, name: string): Promise<void> {
  const names = await page.evaluate((english) => namesOf(english), name);
  const control = (text: string) => {
    const named = { name: text, exact: true };
    return page.getByRole('button', named).or(page.getByRole('menuitem', named)).or(page.getByRole('checkbox', named));
  };
  const controls = names.reduce((all, text) => all.or(control(text)), control(name));
  await controls.last().click({ timeout: PATIENCE });
}
