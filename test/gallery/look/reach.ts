import type { Page } from 'playwright-core';

/** Steps from the loaded page to a state. Button names are English in every language. */
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
  if (String(press).startsWith('QR code')) await page.locator('.qr path:not([d=""])').waitFor();
  if (shows) await page.locator(shows).waitFor();
  if (query) await page.getByRole('searchbox').fill(query);
}

/** Presses the button whose name is a translation of `name`. If several buttons match, presses the last button. */
async function pressed(page: Page, name: string): Promise<void> {
  const names = await page.evaluate((english) => namesOf(english), name);
  const button = (text: string) => page.getByRole('button', { name: text, exact: true });
  const buttons = names.reduce((all, text) => all.or(button(text)), button(name));
  await buttons.last().click({ timeout: PATIENCE });
}
