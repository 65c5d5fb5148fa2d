import type { Page } from 'playwright-core';

/** How a state is come to once its page is there. Names of buttons are English, whatever language the page is in. */
export interface Steps {
  type?: Record<string, string>;
  press?: string | string[];
  query?: string;
  /** What stands there once the state is reached: a page may load it first. */
  shows?: string;
}

/** How long a button may take to be there, in milliseconds. */
const PATIENCE = 10_000;

declare const show: (state: string) => void;
declare const namesOf: (english: string) => string[];

/** The states of the gallery's page that is open, by name. */
export function statesOf(page: Page): Promise<Record<string, Steps>> {
  return page.evaluate(() => JSON.parse(document.documentElement.dataset.states ?? ''));
}

/** Shows a state in the page as it is, and does what leads to it. */
export async function reach(page: Page, state: string, { type = {}, press, query, shows }: Steps): Promise<void> {
  await page.evaluate((wanted) => show(wanted), state);
  for (const [selector, text] of Object.entries(type)) await page.locator(selector).fill(text);
  for (const name of [press ?? []].flat()) await pressed(page, name);
  if (String(press).startsWith('QR code')) await page.locator('.qr path:not([d=""])').waitFor();
  if (shows) await page.locator(shows).waitFor();
  if (query) await page.getByRole('searchbox').fill(query);
}

/** Of the strings that a name may stand for, the one that a button has. The last of several buttons is the one. */
async function pressed(page: Page, name: string): Promise<void> {
  const names = await page.evaluate((english) => namesOf(english), name);
  const button = (text: string) => page.getByRole('button', { name: text, exact: true });
  const buttons = names.reduce((all, text) => all.or(button(text)), button(name));
  await buttons.last().click({ timeout: PATIENCE });
}
