import type { RefusalCode, Reply } from '../messages/messages.ts';
import type { PopupTarget } from '../messages/popup-target.ts';
import type { Tabs } from '../platform/browser.ts';
import browser from '../platform/browser.ts';
import { t } from '../platform/strings.ts';
import { NO_OPTIONS } from '../queue/initial.ts';
import { DEFAULT_SETTINGS, readSettings } from '../storage/settings.ts';
import { type Badge, DONE, REFUSED } from './badge.ts';
import { copyText } from './clipboard.ts';
import { failureCode } from './failure-code.ts';
import type { QueueCommands } from './queue-commands.ts';
import { showOrder } from './show-order.ts';

export interface OrderDependencies {
  commands: QueueCommands;
  newId: () => string;
  now: () => number;
  flash: (badge: Badge) => Promise<void>;
  /** Asked where the browser does not say whether a window is private. */
  mayBePrivate: () => Promise<boolean>;
}

/** Orders from a menu or a shortcut: there is no page of ours that could say what became of them. */
export class OrderFromBrowser {
  readonly #dependencies: OrderDependencies;

  constructor(dependencies: OrderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Orders a short URL, and shows at once whether that was possible. `page` null: the click names no address. */
  async place(page: { url: string; title: string } | null, tab: Tabs.Tab | undefined): Promise<void> {
    const { commands, newId, now } = this.#dependencies;
    const order = { id: newId(), url: page?.url ?? '', title: page?.title ?? '' };
    const isPrivate = tab?.incognito ?? (await this.#dependencies.mayBePrivate());
    const reply = await commands
      .shorten({
        orders: [order],
        connectionId: null,
        options: NO_OPTIONS,
        anew: false,
        private: isPrivate,
        source: 'background',
      })
      .catch((error): Reply<never> => ({ ok: false, code: failureCode(error) }));
    const target = { orderId: order.id, url: order.url, title: order.title, private: isPrivate, at: now() };
    if (!reply.ok) return this.#refused({ ...target, refusal: reply.code });
    const [existing] = reply.value.existing;
    if (existing) return this.#existing({ ...target, existing });
    await showOrder({ ...target, orderId: reply.value.requestIds[0] ?? order.id }, null);
  }

  async #existing(target: PopupTarget & { existing: { linkId: string; shortUrl: string } }): Promise<void> {
    const { shortUrl } = target.existing;
    const { autoCopy } = await readSettings().catch(() => DEFAULT_SETTINGS);
    const copied = autoCopy && (await copyText(shortUrl));
    await this.#flash(DONE);
    const title = t(copied ? 'notifyCopied' : 'notifyReady');
    await showOrder(target, { title, message: target.private ? '' : shortUrl });
  }

  /** Without a connection the next step is the options page. */
  async #refused(target: PopupTarget & { refusal: RefusalCode }): Promise<void> {
    await this.#flash(REFUSED);
    if (target.refusal === 'no_connection') return browser.runtime.openOptionsPage();
    const title = t('notifyStuck');
    await showOrder(target, { title, message: t(`refusal_${target.refusal}`) });
  }

  /** A badge that cannot be set is no reason to say nothing at all. */
  async #flash(badge: Badge): Promise<void> {
    await this.#dependencies.flash(badge).catch(() => undefined);
  }
}
