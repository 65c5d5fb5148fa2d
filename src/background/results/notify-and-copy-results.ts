import { readableUrl } from '@terse/contract/readable-host';
import browser from '../../browser/browser.ts';
import { copyText } from '../../browser/clipboard-and-download.ts';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import type { Finished, FinishedLink } from '../../queue/results/finished-requests.ts';
import type { Group, Link, Request } from '../../queue/types.ts';
import { readGroup } from '../../storage/load-page-data.ts';
import { readReporting } from '../../storage/settings.ts';
import { type NotificationText, showNotification } from './notifications.ts';

/**
 * Maximum waiting time of a request whose link is copied automatically. After a longer wait, the user may have copied
 * something else.
 */
const COPIED_WITHIN_MS = 60_000;

/** Maximum number of separate notifications. If there are more results, a single notification summarizes them. */
const MAX_NOTIFICATIONS = 3;

/**
 * Copies a new link and notifies the user of all results except those that the open popup shows. A bulk list gets a
 * single notification, once all of its links have been created or have failed.
 */
export async function reportResults(finished: Finished): Promise<void> {
  const { links, stuck, groupIds } = finished;
  const popupOpen = await isPopupOpen();
  const isReported = (source: Request['source']) => source === 'background' || !popupOpen;
  const reported = links.filter(({ link, source }) => link.groupId === null && isReported(source));
  const { autoCopy, notifications } = await readReporting();
  const copied = autoCopy ? await copyLatest(reported) : null;
  if (!notifications) return;
  await notifyLinks(
    reported.map(({ link }) => link),
    copied,
  );
  // Failed requests of a bulk list get no separate notifications, because the list's notification counts them. A
  // blocked queue is always reported.
  const isAlone = ({ groupId, state }: Request) => groupId === null || state === 'waiting';
  await notifyStuck(stuck.filter((request) => isAlone(request) && isReported(request.source)));
  for (const id of groupIds) await notifyGroup(id);
}

const LIST = 'list=';

/**
 * Returns the notification id of a bulk list. When the user clicks a notification, the browser reports only the
 * notification's id, so this id contains the query of the queue page's URL.
 */
function groupNotification({ id }: Group): string {
  return `${LIST}${id}`;
}

/** Opens the progress of a bulk list after a click on its notification. */
export async function openNotificationTarget(id: string): Promise<void> {
  if (!id.startsWith(LIST)) return;
  await browser.tabs.create({ url: browser.runtime.getURL(`src/pages/queue/index.html?${id}`) });
}

async function notifyGroup(id: string): Promise<void> {
  const found = await readGroup(id);
  if (!found) return;
  const [made, all] = [formatNumber(found.links.length), formatNumber(found.group.ids.length)];
  await showNotification(groupNotification(found.group), {
    title: t('notifyGroup'),
    message: t('notifyGroupMade', made, all),
  });
}

/** Copies the new link if there is exactly one. Links that took too long to create do not count. */
async function copyLatest(links: FinishedLink[]): Promise<Link | null> {
  const [only, ...others] = links.filter(({ waitedMs }) => waitedMs <= COPIED_WITHIN_MS);
  if (!only || others.length > 0) return null;
  return (await copyText(readableUrl(only.link.shortUrl))) ? only.link : null;
}

function notifyLinks(links: Link[], copied: Link | null): Promise<void> {
  return notifyEach(
    links,
    (link) => ({ title: t(link === copied ? 'notifyCopied' : 'notifyReady'), message: readableUrl(link.shortUrl) }),
    (count) => ({ title: plural('notifyManyReady', count), message: '' }),
  );
}

function notifyStuck(stuck: Request[]): Promise<void> {
  // In a blocked queue, all requests wait for the same reason, so only one of them is reported.
  const blocked = stuck.find(({ state }) => state === 'waiting');
  const title = t('notifyStuck');
  return notifyEach(
    stuck.filter((request) => request.state !== 'waiting' || request === blocked),
    (request) => ({ title, message: stuckText(request) }),
    (count) => ({ title, message: plural('notifyManyStuck', count) }),
  );
}

/** Shows one notification per item. If there are too many items, shows a single notification with their count. */
async function notifyEach<T extends { id: string }>(
  all: T[],
  wordsOf: (one: T) => NotificationText,
  wordsOfMany: (count: number) => NotificationText,
): Promise<void> {
  const isMany = all.length > MAX_NOTIFICATIONS;
  for (const one of isMany ? all.slice(0, 1) : all)
    await showNotification(one.id, isMany ? wordsOfMany(all.length) : wordsOf(one));
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
