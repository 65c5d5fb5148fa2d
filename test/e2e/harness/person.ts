import type { BrowserPage, Located } from './browser-under-test.ts';
import { until } from './until.ts';

/** Messages of the options page after connecting to a service with or without a service document. */
const CONNECTED =
  /^(Connected\. You can shorten links now\.|Saved\. This address responds, but doesn't identify itself)/;

export async function connectOn(options: BrowserPage, connectionLink: string): Promise<void> {
  await options.getByLabel('Server address').fill(connectionLink);
  await options.getByRole('button', { name: 'Connect', exact: true }).click();
  await options.getByText(CONNECTED).first().waitFor();
  // The message can be that of another connection.
  const connect = options.getByRole('button', { name: 'Connect', exact: true });
  await until('a stored connection', async () => (await connect.count()) === 0);
}

export async function connectAnotherOn(options: BrowserPage, connectionLink: string): Promise<void> {
  await options.getByRole('button', { name: 'Add connection' }).click();
  // Before the form is empty, the text would go into another connection's form.
  await until('an empty form', async () => (await options.getByLabel('Server address').inputValue()) === '');
  await connectOn(options, connectionLink);
}

/** Types a URL into the popup's field for other URLs and sends it. Over a page that can be shortened, opens it first. */
export async function shortenOther(popup: BrowserPage, url: string): Promise<void> {
  const field = popup.getByLabel('Address', { exact: true });
  await popup.locator('.stage-actions').waitFor();
  if ((await field.count()) === 0) await popup.getByRole('button', { name: 'Shorten another URL' }).click();
  await field.fill(url);
  await popup.getByRole('button', { name: 'Shorten', exact: true }).click();
}

/** Selector of the popup's short URL, if its link exists. Only then are there buttons for its QR code and for opening it. */
export const RESULT = '.stage:has(.stage-note .is-wide) .stage-url';

/** Returns the short URL that the popup shows as the result, without its scheme. */
export async function resultIn(popup: BrowserPage): Promise<string> {
  const result = popup.locator(RESULT);
  await result.waitFor();
  return ((await result.textContent()) ?? '').trim();
}

/** Types addresses into the field of the bulk page and adds them to its list. */
export async function addToList(bulk: BrowserPage, addresses: string): Promise<void> {
  await bulk.getByLabel('Paste addresses, or drop a file here').fill(addresses);
  await bulk.getByRole('button', { name: 'Add', exact: true }).click();
}

/** Chooses an action in the menu of a row of the links page. */
export async function chooseInMenu(row: Located, action: string): Promise<void> {
  await row.getByRole('button', { name: /^More actions for/ }).click();
  await row.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Clicks a button that opens another page and closes the popup. The popup can be gone before the click returns. */
export async function clickAndLeave(button: Located): Promise<void> {
  await button.click().catch((error: Error) => {
    if (!/closed/.test(error.message)) throw error;
  });
}
