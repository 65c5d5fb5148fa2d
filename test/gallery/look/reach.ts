import type { Page } from 'playwright-core';

/** Steps from the loaded page to a state. `press` names buttons, menu items and checkboxes, or an element by `#id`. */
export interface Steps {
  type?: Record<string, string>;
  press?: string | string[];
  query?: string;
  /** Selector of an element that appears when the page has loaded the state's data. */
  shows?: string;
}

const PATIENCE = 10_000;

declare const show: (state: string) => void;

export function statesOf(page: Page): Promise<Record<string, Steps>> {
  return page.evaluate(() => JSON.parse(document.documentElement.dataset.states ?? ''));
}

export async function reach(page: Page, state: string, { type = {}, press, query, shows }: Steps): Promise<void> {
  await page.evaluate((wanted) => show(wanted), state);
  for (const [selector, text] of Object.entries(type)) await page.locator(selector).fill(text);
  for (const name of [press ?? []].flat()) await pressed(page, name);
  if (shows) await page.locator(shows).waitFor();
  if (query) await page.getByRole('searchbox').fill(query);
}

/** Presses the last button, menu item or checkbox with this name, or the element `#id`. */
async function pressed(page: Page, name: string): Promise<void> {
  const named = { name, exact: true };
  const control = name.startsWith('#')
    ? page.locator(name)
    : page.getByRole('button', named).or(page.getByRole('menuitem', named)).or(page.getByRole('checkbox', named));
  await control.last().click({ timeout: PATIENCE });
}
