import { readableUrl } from '@terse/contract/readable-host';
import type { Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { copyText } from '../../browser/clipboard-and-download.ts';
import { frontTab, mayBePrivate } from '../../browser/tabs.ts';
import { t } from '../../format/i18n.ts';
import { privateProblemMessage } from '../../format/status-text.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page-with-data.ts';
import type { Handlers, RefusalCode, Reply } from '../../messages/protocol.ts';
import { readReporting } from '../../storage/settings.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { failureCode, type QueueCommands } from '../commands/shorten-command.ts';
import { type Badge, DONE, type NotificationText, REFUSED, showNotification } from '../report-results.ts';

export interface ShortenerDependencies {
  commands: QueueCommands;
  shortenPrivately: Handlers['shorten-privately'];
  newId: () => string;
  now: () => number;
  flash: (badge: Badge) => Promise<void>;
}

interface Page {
  url: string;
  title: string;
}

/**
 * Maximum length of a title, or of a URL that is not a web URL, in UTF-16 code units. A data URL, for example, can
 * contain a whole image.
 */
const MAX_TEXT_LENGTH = 200;

/**
 * Shortens URLs from menus, keyboard shortcuts and the address bar. Shows the result in the popup or in a
 * notification, because the extension may have no open page.
 */
export class BrowserShortener {
  readonly #dependencies: ShortenerDependencies;

  constructor(dependencies: ShortenerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Requests a short link for a page. Shows the progress, an existing link or an error. */
  async shorten(page: Page, tab: Tabs.Tab | undefined): Promise<void> {
    const target = await this.#target(page, tab);
    const { orderId: id } = target;
    if (target.private) return this.#shortenPrivately(page, target);
    const reply = await this.#dependencies.commands
      .shorten({
        orders: [{ ...page, id }],
        connectionId: null,
        options: null,
        anew: false,
        source: 'background',
      })
      .catch((error): Reply<never> => ({ ok: false, code: failureCode(error) }));
    if (!reply.ok) return this.#refused({ ...target, refusal: reply.code });
    const [existing] = reply.value.existing;
    if (existing) return this.#existing({ ...target, existing });
    await showRequest({ ...target, orderId: reply.value.requestIds[0] ?? id }, null);
  }

  async #shortenPrivately(page: Page, target: PopupTarget): Promise<void> {
    const { orderId: id, at } = target;
    const reply = await this.#dependencies
      .shortenPrivately({ type: 'shorten-privately', ...page, id, at, connectionId: null, options: null, anew: false })
      .catch((error): Reply<never> => ({ ok: false, code: failureCode(error) }));
    if (!reply.ok) return this.#refused({ ...target, refusal: reply.code });
    const result = reply.value;
    if ('link' in result) {
      const { id: linkId, shortUrl } = result.link;
      return this.#existing({ ...target, result, existing: { linkId, shortUrl } });
    }
    await this.#flash(REFUSED);
    await showRequest({ ...target, result }, { title: t('notifyStuck'), message: privateProblemMessage(result) });
  }

  async refuse(refusal: RefusalCode, page: Page, tab: Tabs.Tab | undefined): Promise<void> {
    await this.#refused({ ...(await this.#target(page, tab)), refusal });
  }

  async #target({ url, title }: Page, tab: Tabs.Tab | undefined): Promise<PopupTarget> {
    const { newId, now } = this.#dependencies;
    return {
      orderId: newId(),
      url: isWebUrl(url) ? url : url.slice(0, MAX_TEXT_LENGTH),
      title: title.slice(0, MAX_TEXT_LENGTH),
      // The user may have opened the menu of a background tab, but the browser can open the popup only over the
      // active tab.
      tabId: tab?.active ? tab.id : undefined,
      private: await mayBePrivate(tab),
      at: now(),
    };
  }

  async #existing(target: PopupTarget & { existing: { linkId: string; shortUrl: string } }): Promise<void> {
    if (await isPrivateWindowGone(target)) return;
    const { shortUrl } = target.existing;
    const { autoCopy } = await readReporting();
    const copied = autoCopy && (await copyText(readableUrl(shortUrl)));
    await this.#flash(DONE);
    // A notification contains no private URL, so it is not enough if the short URL was not copied.
    if (target.private && !copied) return showInPopup(target);
    const title = t(copied ? 'notifyCopied' : 'notifyReady');
    await showRequest(target, { title, message: target.private ? '' : readableUrl(shortUrl) });
  }

  /**
   * Opens the options page if there is no connection, so that the user can add one. Otherwise, shows why the URL was
   * refused.
   */
  async #refused(target: PopupTarget & { refusal: RefusalCode }): Promise<void> {
    await this.#flash(REFUSED);
    if (target.refusal === 'no_connection') return browser.runtime.openOptionsPage();
    const title = t('notifyStuck');
    await showRequest(target, { title, message: t(`refusal_${target.refusal}`) });
  }

  /** Briefly shows a badge. Ignores errors, because the caller must still show the result of the user's action. */
  async #flash(badge: Badge): Promise<void> {
    await this.#dependencies.flash(badge).catch(() => undefined);
  }
}

const POPUP = 'src/pages/popup/index.html?window=1';
const SIZE = { width: 400, height: 600 };

/**
 * Shows the progress or the result of a link request that came from a menu or a keyboard shortcut. Opens the popup,
 * unless the user prefers notifications and one can be shown.
 */
async function showRequest(target: PopupTarget, notification: NotificationText | null): Promise<void> {
  const { notifications } = await readReporting();
  if (notifications) {
    // `notification` is null while the link request is in progress. In this case, nothing is shown yet.
    if (!notification || (await showNotification(target.orderId, notification))) return;
  }
  await showInPopup(target);
}

/** Opens the popup with the progress or the result of a link request. */
async function showInPopup(target: PopupTarget): Promise<void> {
  if (await isPrivateWindowGone(target)) return;
  await popupTarget.give(target).catch(() => undefined);
  try {
    if (await popupShows(target)) return await browser.action.openPopup();
  } catch {
    // Some browsers do not let extensions open the popup.
  }
  await openWindow();
}

/** True if a result is neither copied nor shown, because the last private window was closed before it arrived. */
async function isPrivateWindowGone(target: PopupTarget): Promise<boolean> {
  return target.private && !(await mayBePrivate());
}

/** True if the popup may show the target. A popup over an ordinary window must not show private data. */
async function popupShows({ private: isPrivate, tabId }: PopupTarget): Promise<boolean> {
  return !isPrivate || tabId !== undefined || mayBePrivate(await frontTab());
}

async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', ...SIZE });
  else await browser.tabs.create({ url });
}
