import { readableUrl } from '@terse/contract/readable-host';
import type { Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { copyText } from '../../browser/clipboard-and-download.ts';
import { frontTab, mayBePrivate } from '../../browser/tabs.ts';
import { t } from '../../format/i18n.ts';
import { privateProblemMessage } from '../../format/status-text.ts';
import { type PopupTarget, popupTarget } from '../../messages/open-page-with-data.ts';
import type { PrivateResult, RefusalCode, Reply } from '../../messages/protocol.ts';
import { readReporting } from '../../storage/settings.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { shortenPrivately } from '../commands/private-requests.ts';
import { failureCode, shorten } from '../commands/shorten-command.ts';
import { DONE, flashBadge, type NotificationText, REFUSED, showNotification } from '../report-results.ts';
import type { WorkerContext } from '../worker-context.ts';

interface Page {
  url: string;
  title: string;
}

/**
 * Maximum length of a title, or of a URL that is not a web URL, in UTF-16 code units. A data URL, for example, can
 * contain a whole image.
 */
const MAX_TEXT_LENGTH = 200;

/*
 * Shortens URLs from menus, keyboard shortcuts and the address bar. Shows the result in the popup or in a notification,
 * because the extension may have no open page.
 */

/** Options of a request that the user did not customize. */
const DEFAULTS = { connectionId: null, options: null, anew: false };

/** Requests a short link for a page. Shows the progress, an existing link or an error. */
export async function shortenFromBrowser(context: WorkerContext, page: Page, tab: Tabs.Tab | undefined): Promise<void> {
  const target = await targetOf(context, page, tab);
  const { orderId: id, at } = target;
  const failed = (error: unknown): Reply<never> => ({ ok: false, code: failureCode(error) });
  if (target.private) {
    const [queue] = await context.store.queues().catch(() => []);
    const server = queue?.connection;
    const reply = await shortenPrivately(context, { ...page, ...DEFAULTS, server, id, at }).catch(failed);
    const shown = { ...target, server };
    return reply.ok ? showPrivateResult(context, shown, reply.value) : showRefusal(context, shown, reply.code);
  }
  const orders = [{ ...page, id }];
  const reply = await shorten(context, { ...DEFAULTS, orders, source: 'background' }).catch(failed);
  if (!reply.ok) return showRefusal(context, target, reply.code);
  const [existing] = reply.value.existing;
  if (existing) return showLink(context, { ...target, existing });
  const [orderId = id] = reply.value.requestIds;
  // The request of an earlier command may have waited for too long, or may belong to the popup or to a list.
  await showRequest({ ...target, orderId, isCopied: orderId === id }, null);
}

/** Shows why a page cannot be shortened. */
export async function refuse(context: WorkerContext, code: RefusalCode, page: Page, tab?: Tabs.Tab): Promise<void> {
  await showRefusal(context, await targetOf(context, page, tab), code);
}

async function targetOf({ newId, clock }: WorkerContext, { url, title }: Page, tab?: Tabs.Tab): Promise<PopupTarget> {
  return {
    orderId: newId(),
    url: isWebUrl(url) ? url : url.slice(0, MAX_TEXT_LENGTH),
    title: title.slice(0, MAX_TEXT_LENGTH),
    // The user may have opened the menu of a background tab, but the browser can open the popup only over the
    // active tab.
    tabId: tab?.active ? tab.id : undefined,
    private: await mayBePrivate(tab),
    at: clock(),
  };
}

async function showPrivateResult(context: WorkerContext, target: PopupTarget, result: PrivateResult): Promise<void> {
  if ('link' in result) {
    const { id: linkId, shortUrl } = result.link;
    return showLink(context, { ...target, result, existing: { linkId, shortUrl } });
  }
  await flashBadge(REFUSED, context.store);
  await showRequest({ ...target, result }, { title: t('notifyStuck'), message: privateProblemMessage(result) });
}

type Existing = PopupTarget & Required<Pick<PopupTarget, 'existing'>>;

async function showLink({ store }: WorkerContext, target: Existing): Promise<void> {
  if (await isPrivateWindowGone(target)) return;
  const shortUrl = readableUrl(target.existing.shortUrl);
  const { autoCopy } = await readReporting();
  const isCopied = autoCopy && (await copyText(shortUrl));
  await flashBadge(DONE, store);
  // A notification contains no private URL, so it is not enough if the short URL was not copied.
  if (target.private && !isCopied) return showInPopup({ ...target, isCopied });
  const title = t(isCopied ? 'notifyCopied' : 'notifyReady');
  await showRequest({ ...target, isCopied }, { title, message: target.private ? '' : shortUrl });
}

/** Opens the options page if there is no connection. Otherwise, shows why the URL was refused. */
async function showRefusal({ store }: WorkerContext, target: PopupTarget, refusal: RefusalCode): Promise<void> {
  await flashBadge(REFUSED, store);
  if (refusal === 'no_connection') return browser.runtime.openOptionsPage();
  await showRequest({ ...target, refusal }, { title: t('notifyStuck'), message: t(`refusal_${refusal}`) });
}

const POPUP = 'src/pages/popup/index.html?window=1';

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
    // A popup over an ordinary window must not show private data.
    const isShown = !target.private || target.tabId !== undefined || (await mayBePrivate(await frontTab()));
    if (isShown) return await browser.action.openPopup();
  } catch {
    // Some browsers do not let extensions open the popup.
  }
  await openWindow();
}

/** True if a result is neither copied nor shown, because the last private window was closed before it arrived. */
async function isPrivateWindowGone(target: PopupTarget): Promise<boolean> {
  return target.private && !(await mayBePrivate());
}

async function openWindow(): Promise<void> {
  const url = browser.runtime.getURL(POPUP);
  if (browser.windows) await browser.windows.create({ url, type: 'popup', width: 400, height: 600 });
  else await browser.tabs.create({ url });
}
