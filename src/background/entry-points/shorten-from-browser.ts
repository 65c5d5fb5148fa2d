import type { Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { copyText } from '../../browser/clipboard-and-download.ts';
import { t } from '../../format/i18n.ts';
import type { PopupTarget } from '../../messages/open-page.ts';
import type { RefusalCode, Reply } from '../../messages/protocol.ts';
import type { Link } from '../../queue/types.ts';
import { readReporting } from '../../storage/settings.ts';
import { isWebUrl } from '../../urls/shortenable-url.ts';
import type { QueueCommands } from '../commands/shorten-command.ts';
import { failureCode } from '../message-router.ts';
import { mayBePrivate } from '../private-windows.ts';
import { showRequest } from '../results/open-popup.ts';
import { type Badge, DONE, REFUSED } from '../results/toolbar-badge.ts';

export interface OrderDependencies {
  commands: QueueCommands;
  newId: () => string;
  now: () => number;
  flash: (badge: Badge) => Promise<void>;
}

/** What is to be shortened: an empty `url` where what the person chose names none. */
interface Page {
  url: string;
  title: string;
}

/** What is handed to the popup of what is no address of the web, in UTF-16 units: an image can be its own address. */
const SHOWN = 200;

/** Orders from the browser's own menus, keys and address bar: no page of ours is there to say what became of them. */
export class BrowserShortener {
  readonly #dependencies: OrderDependencies;

  constructor(dependencies: OrderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Orders a short URL, and shows at once whether that was possible. */
  async place(page: Page, tab: Tabs.Tab | undefined): Promise<void> {
    const target = await this.#target(page, tab);
    const { orderId: id, private: isPrivate } = target;
    const reply = await this.#dependencies.commands
      .shorten({
        orders: [{ ...page, id }],
        connectionId: null,
        options: null,
        anew: false,
        private: isPrivate,
        source: 'background',
      })
      .catch((error): Reply<never> => ({ ok: false, code: failureCode(error) }));
    if (!reply.ok) return this.#refused({ ...target, refusal: reply.code });
    const [existing] = reply.value.existing;
    if (existing) return this.#existing({ ...target, existing });
    await showRequest({ ...target, orderId: reply.value.requestIds[0] ?? id }, null);
  }

  /** Shows why there is nothing to order. */
  async refuse(refusal: RefusalCode, page: Page, tab: Tabs.Tab | undefined): Promise<void> {
    await this.#refused({ ...(await this.#target(page, tab)), refusal });
  }

  /** Gives a link again that the person has chosen from those there are. */
  async give({ id: linkId, url, title, shortUrl }: Link, tab: Tabs.Tab | undefined): Promise<void> {
    await this.#existing({ ...(await this.#target({ url, title }, tab)), existing: { linkId, shortUrl } });
  }

  async #target({ url, title }: Page, tab: Tabs.Tab | undefined): Promise<PopupTarget> {
    const { newId, now } = this.#dependencies;
    return {
      orderId: newId(),
      url: isWebUrl(url) ? url : url.slice(0, SHOWN),
      title: title.slice(0, SHOWN),
      // The menu of the tab strip can be that of a tab that is not in front, over which no popup opens.
      tabId: tab?.active ? tab.id : undefined,
      private: await mayBePrivate(tab),
      at: now(),
    };
  }

  async #existing(target: PopupTarget & { existing: { linkId: string; shortUrl: string } }): Promise<void> {
    const { shortUrl } = target.existing;
    const { autoCopy } = await readReporting();
    const copied = autoCopy && (await copyText(shortUrl));
    await this.#flash(DONE);
    const title = t(copied ? 'notifyCopied' : 'notifyReady');
    await showRequest(target, { title, message: target.private ? '' : shortUrl });
  }

  /** Without a connection the next step is the options page. */
  async #refused(target: PopupTarget & { refusal: RefusalCode }): Promise<void> {
    await this.#flash(REFUSED);
    if (target.refusal === 'no_connection') return browser.runtime.openOptionsPage();
    const title = t('notifyStuck');
    await showRequest(target, { title, message: t(`refusal_${target.refusal}`) });
  }

  /** A badge that cannot be set is no reason to say nothing at all. */
  async #flash(badge: Badge): Promise<void> {
    await this.#dependencies.flash(badge).catch(() => undefined);
  }
}
