import { openLinksFor } from '../messages/links-search.ts';
import browser, { type Tabs } from '../platform/browser.ts';
import { isLive } from '../queue/live-link.ts';
import type { Link } from '../queue/types.ts';
import { addressesIn } from '../target/addresses-in-text.ts';
import type { OrderFromBrowser } from './order-from-browser.ts';
import { frontTab, mayBePrivate } from './private-windows.ts';
import { enterDescription, isOtherAddress, type Suggestion, suggestionsFor } from './suggestions.ts';
import type { WaysIn } from './ways-in.ts';

export interface OmniboxDependencies {
  order: OrderFromBrowser;
  waysIn: WaysIn;
  /** Every link that may be shown, the newest first. */
  links: (isPrivate: boolean) => Promise<Link[]>;
  now: () => number;
}

/** The address bar after the extension's keyword: an address is shortened, words are looked for in the history. */
export class Omnibox {
  readonly #dependencies: OmniboxDependencies;
  /** Read once for all that is typed in one go, and for one kind of window: browsers do not always say that it has ended. */
  #read: { isPrivate: boolean; links: Promise<Link[]> } | null = null;

  constructor(dependencies: OmniboxDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param suggest takes what is listed below what was typed */
  async changed(text: string, suggest: (suggestions: Suggestion[]) => void): Promise<void> {
    void browser.omnibox.setDefaultSuggestion({ description: enterDescription(text) });
    suggest(suggestionsFor(text, await this.#known(await frontTab())));
  }

  /** The person chose what Enter does with the text, or a link of those listed. */
  async entered(typed: string): Promise<void> {
    const text = typed.trim();
    const { order, waysIn } = this.#dependencies;
    // The tab below the address bar that is typed in: no browser names it.
    const tab = await frontTab();
    const known = (await this.#known(tab)).find(({ shortUrl }) => shortUrl === text);
    this.ended();
    if (known) await order.give(known, tab);
    else if (addressesIn(text)[0]) await waysIn.text(text, tab);
    // An address of another kind is none to look for: it is refused with the reason.
    else if (isOtherAddress(text)) await order.place({ url: text, title: '' }, tab);
    else await openLinksFor(text, await mayBePrivate(tab));
  }

  /** Nothing is typed any more. */
  ended(): void {
    this.#read = null;
  }

  async #known(tab: Tabs.Tab | undefined): Promise<Link[]> {
    const isPrivate = await mayBePrivate(tab);
    if (this.#read?.isPrivate !== isPrivate) {
      // Without the history an address can still be ordered, which is where the person is told.
      this.#read = { isPrivate, links: this.#dependencies.links(isPrivate).catch(() => []) };
    }
    const now = this.#dependencies.now();
    return (await this.#read.links).filter((link) => isLive(link, now));
  }
}
