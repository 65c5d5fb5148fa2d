import { openWithList } from '../messages/handed-list.ts';
import type { Menus, Tabs } from '../platform/browser.ts';
import { addressesIn } from '../target/addresses-in-text.ts';
import { chosenFrom } from './menu.ts';
import type { OrderFromBrowser } from './order-from-browser.ts';
import { mayBePrivate } from './private-windows.ts';

/** What menus, keys and the address bar bring: each comes to an order, a list, or the reason why it is neither. */
export class WaysIn {
  readonly #order: OrderFromBrowser;

  constructor(order: OrderFromBrowser) {
    this.#order = order;
  }

  async menu(info: Menus.OnClickData, tab?: Tabs.Tab): Promise<void> {
    const chosen = chosenFrom(info, tab);
    if (chosen === 'list') await this.#list('', tab);
    else if ('text' in chosen) await this.text(chosen.text, tab);
    else await this.#order.place(chosen, tab);
  }

  async command(name: string, tab?: Tabs.Tab): Promise<void> {
    if (name === 'shorten-page') await this.#order.place({ url: tab?.url ?? '', title: tab?.title ?? '' }, tab);
    if (name === 'open-list') await this.#list('', tab);
  }

  /** Orders the one address that a text holds; of several the person sees first what would be sent. */
  async text(text: string, tab?: Tabs.Tab): Promise<void> {
    const [url, ...others] = addressesIn(text);
    if (others.length > 0) await this.#list(text, tab);
    else if (url === undefined) await this.#order.refuse('no_address', { url: '', title: text }, tab);
    else await this.#order.place({ url, title: '' }, tab);
  }

  async #list(text: string, tab?: Tabs.Tab): Promise<void> {
    await openWithList({ text, tabId: tab?.id ?? null, private: await mayBePrivate(tab) });
  }
}
