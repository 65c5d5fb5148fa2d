import { readableUrl } from '@terse/contract/readable-host';
import browser from '../browser/browser.ts';
import { COPIED_WITHIN_MS, copyText } from '../browser/clipboard-and-download.ts';
import { formatNumber, plural, t } from '../format/i18n.ts';
import type { Finished, FinishedLink } from '../queue/result.ts';
import { needsUser } from '../queue/sending.ts';
import type { Link, Queue, Request } from '../queue/types.ts';
import { readList } from '../storage/load-page-data.ts';
import { readReporting } from '../storage/settings.ts';
import type { Store } from '../storage/store.ts';

/**
 * Copies a new link and notifies the user of all results except those that the open popup shows. A bulk list gets a
 * single notification, once all of its links have been created or have failed.
 */
export async function reportResults(finished: Finished): Promise<void> {
  const { links, stuck, listIds } = finished;
  const popupOpen = await isPopupOpen();
  const isReported = (source: Request['source']) => source === 'background' || !popupOpen;
  const reported = links.filter(({ link, source }) => link.listId === null && isReported(source));
  const { autoCopy, notifications } = await readReporting();
  const copied = autoCopy ? await copyLatest(reported) : null;
  if (!notifications) return;
  await notify(
    reported.map(({ link }) => link),
    (link) => ({ title: t(link === copied ? 'notifyCopied' : 'notifyReady'), message: readableUrl(link.shortUrl) }),
    (count) => ({ title: plural('notifyManyReady', count), message: '' }),
  );
  // Failed requests of a bulk list get no separate notifications, because the list's notification counts them. A
  // blocked queue is always reported.
  const isAlone = ({ listId, state }: Request) => listId === null || state === 'waiting';
  const title = t('notifyStuck');
  await notify(
    stuck.filter((request) => isAlone(request) && isReported(request.source)),
    (request) => ({ title, message: stuckText(request) }),
    (count) => ({ title, message: plural('notifyManyStuck', count) }),
  );
  for (const id of listIds) await notifyList(id);
}

/**
 * Start of the notification ids of bulk lists. When the user clicks a notification, the browser reports only its id, so
 * the id is the query of the queue page's URL.
 */
const LIST = 'list=';

/** Opens the progress of a bulk list after a click on its notification. */
export async function openNotificationTarget(id: string): Promise<void> {
  if (!id.startsWith(LIST)) return;
  await browser.tabs.create({ url: browser.runtime.getURL(`src/pages/queue/index.html?${id}`) });
}

async function notifyList(id: string): Promise<void> {
  const found = await readList(id);
  if (!found) return;
  const [made, all] = [formatNumber(found.links.length), formatNumber(found.list.ids.length)];
  await showNotification(`${LIST}${id}`, { title: t('notifyGroup'), message: t('notifyGroupMade', made, all) });
}

/** Copies the new link that was requested last. Links that took too long to create do not count. */
async function copyLatest(links: FinishedLink[]): Promise<Link | null> {
  const recent = links.filter(({ waitedMs }) => waitedMs <= COPIED_WITHIN_MS);
  // A delayed request comes after a later one if both were sent together.
  const last = recent.toSorted((one, other) => other.waitedMs - one.waitedMs).at(-1);
  return last && (await copyText(readableUrl(last.link.shortUrl))) ? last.link : null;
}

/** Shows a notification for a single result, or one that counts several results. */
async function notify<T extends { id: string }>(
  results: T[],
  textOf: (result: T) => NotificationText,
  textOfMany: (count: number) => NotificationText,
): Promise<void> {
  const [first, ...others] = results;
  if (first) await showNotification(first.id, others.length === 0 ? textOf(first) : textOfMany(results.length));
}

/**
 * True if the toolbar's popup is open. The popup's page in a separate window does not count, because it cannot write
 * to the clipboard.
 */
export async function isPopupOpen(): Promise<boolean> {
  const contexts = await browser.runtime.getContexts({ contextTypes: ['POPUP'] });
  return contexts.length > 0;
}

function stuckText({ problem, title, url }: Request): string {
  return `${title || url}\n${problem ? t(`problem_${problem.code}`) : ''}`;
}

export interface NotificationText {
  title: string;
  message: string;
}

/** Shows a notification if the user allows notifications. Returns true if the notification was shown. Never throws. */
export async function showNotification(id: string, words: NotificationText): Promise<boolean> {
  try {
    if (!browser.notifications) return false;
    await browser.notifications.create(id, {
      type: 'basic',
      iconUrl: browser.runtime.getURL('icons/icon-128.png'),
      ...words,
    });
    return true;
  } catch {
    return false;
  }
}

const WAITING_COLOR = '#0b6e4f';
const FAILED_COLOR = '#b3261e';
const FLASH_MS = 2_500;

export interface Badge {
  text: string;
  color: string;
}

export const DONE: Badge = { text: '✓', color: '#0b6e4f' };
export const REFUSED: Badge = { text: '!', color: FAILED_COLOR };

/**
 * Returns the toolbar badge: the number of requests that need the user's attention or, if there are none, the number
 * of waiting requests.
 */
export function badgeOf(queues: Pick<Queue, 'requests' | 'state'>[]): Badge {
  const stuck = queues.flatMap((queue) => queue.requests.filter(needsUser(queue)));
  if (stuck.length > 0) return { text: short(stuck.length), color: FAILED_COLOR };
  const { length } = queues.flatMap(({ requests }) => requests);
  return { text: length === 0 ? '' : short(length), color: WAITING_COLOR };
}

let flashing: ReturnType<typeof setTimeout> | null = null;

type Queues = Pick<Store, 'queues'>;

/** Shows the current badge on the toolbar button. Does nothing while `flashBadge` shows a temporary badge. */
export async function updateBadge(store: Queues): Promise<void> {
  // If the queues cannot be read, the last badge stays until the next update.
  const badge = await store.queues().then(badgeOf, () => null);
  if (badge && !flashing) await set(badge);
}

/** Shows a badge for a moment, and then shows the current badge again. */
export async function flashBadge(badge: Badge, store: Queues): Promise<void> {
  if (flashing) clearTimeout(flashing);
  flashing = setTimeout(() => {
    flashing = null;
    void updateBadge(store);
  }, FLASH_MS);
  await set(badge);
}

/** Shows a badge. Ignores errors, because the caller must still show the result of the user's action. */
async function set({ text, color }: Badge): Promise<void> {
  const { action } = browser;
  const shown = async () => {
    await action.setBadgeText({ text });
    if (!text) return;
    await action.setBadgeBackgroundColor({ color });
    await action.setBadgeTextColor?.({ color: '#ffffff' });
  };
  await shown().catch(() => undefined);
}

function short(count: number): string {
  return count > 99 ? '99+' : String(count);
}
