import browser from '../platform/browser.ts';

/** Opens an address in a new tab. */
export async function openTab(url: string): Promise<void> {
  await browser.tabs.create({ url });
}
