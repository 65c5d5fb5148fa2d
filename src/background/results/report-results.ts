import browser from '../../browser/browser.ts';
import { copyText } from '../../browser/clipboard-and-download.ts';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { popupTarget } from '../../messages/open-page.ts';
import type { Finished, FinishedLink } from '../../queue/results/finished-requests.ts';
import type { Group, Link, Request } from '../../queue/types.ts';
import type { VisibleGroup } from '../../storage/bulk-groups.ts';
import { readReporting } from '../../storage/settings.ts';
import { type NotificationText, showNotification } from './notifications.ts';
import { popupShows, showRequest } from './open-popup.ts';

/**
 * Maximum waiting time of a link that is copied automatically. Later, the clipboard may contain something that the user
 * copied.
 */
const COPIED_WITHIN_MS = 60_000;

/** Maximum number of separate notifications. More results share one. */
const MAX_NOTIFICATIONS = 3;

/** Reads a bulk list and its links. Null if it was deleted. */
export type ReadGroup = (id: string) => Promise<VisibleGroup | null>;

/**
 * Copies a new link and notifies the user of results. Results that the open popup shows are left out. A bulk list is
 * reported once, when none of its requests is in progress.
 */
export async function reportResults(finished: Finished, readGroup: ReadGroup): Promise<void> {
  const { links, stuck, renamed, groupIds } = finished;
  const popupOpen = await isPopupOpen();
  const replaced = links.map(({ link }) => link).filter((link) => link.replaces !== undefined);
  for (const one of [...renamed, ...replaced]) await reportReplaced(one, popupOpen);
  const isReported = (source: Request['source']) => source === 'background' || !popupOpen;
  const reported = links.filter(({ link, source }) => link.groupId === null && isReported(source));
  const { autoCopy, notifications } = await readReporting();
  const copied = autoCopy ? await copyLatest(reported) : null;
  if (!notifications) return;
  await notifyLinks(
    reported.map(({ link }) => link).filter((link) => !replaced.includes(link)),
    copied,
  );
  // Failed requests of a bulk list are counted in its own notification. A blocked queue is always reported.
  const isAlone = ({ groupId, state }: Request) => groupId === null || state === 'waiting';
  await notifyStuck(stuck.filter((request) => isAlone(request) && isReported(request.source)));
  for (const id of groupIds) await notifyGroup(id, readGroup);
}

const GROUP = 'group=';

/**
 * Returns the notification id of a bulk list. A click reports only this id, so it contains the query of the list's
 * page.
 */
function groupNotification({ id, private: isPrivate }: Group): string {
  return `${GROUP}${id}${isPrivate ? '&private' : ''}`;
}

/** Opens the page of a bulk list after a click on its notification. */
export async function openNotificationTarget(id: string): Promise<void> {
  if (!id.startsWith(GROUP)) return;
  await browser.tabs.create({ url: browser.runtime.getURL(`src/pages/bulk/index.html?${id}`) });
}

async function notifyGroup(id: string, readGroup: ReadGroup): Promise<void> {
  const found = await readGroup(id);
  if (!found) return;
  const [made, all] = [formatNumber(found.links.length), formatNumber(found.group.ids.length)];
  await showNotification(groupNotification(found.group), {
    title: t('notifyGroup'),
    message: t('notifyGroupMade', made, all),
  });
}

/**
 * Copies a new link. If several arrive together, none is copied. A link that the user copied before it worked is not
 * copied again.
 */
async function copyLatest(links: FinishedLink[]): Promise<Link | null> {
  const [only, ...others] = links.filter(({ waitedMs, handedOut }) => waitedMs <= COPIED_WITHIN_MS && !handedOut);
  if (!only || others.length > 0) return null;
  return (await copyText(only.link.shortUrl)) ? only.link : null;
}

/** Tells the user that a short URL that they copied belongs to another link. This ignores the notification setting. */
async function reportReplaced(one: Link | Request, popupOpen: boolean): Promise<void> {
  const { id, url, title, private: isPrivate } = one;
  const [old, fresh] = 'shortUrl' in one ? [one.replaces, one.shortUrl] : [one.handedOut, ''];
  const target = { orderId: id, url, title, private: isPrivate, at: Date.now() };
  if (popupOpen && (await popupShows(target))) return popupTarget.give(target).catch(() => undefined);
  const sentence = t('replaced', old ?? '');
  const message = isPrivate ? '' : `${sentence}\n${fresh}`.trim();
  await showRequest(target, { title: t('notifyReplaced'), message });
}

function notifyLinks(links: Link[], copied: Link | null): Promise<void> {
  return notifyEach(
    links,
    (link) => ({ title: t(link === copied ? 'notifyCopied' : 'notifyReady'), message: completedText(link) }),
    (count) => ({ title: plural('notifyManyReady', count), message: '' }),
  );
}

function notifyStuck(stuck: Request[]): Promise<void> {
  // In a blocked queue, all requests wait for the same reason, so one is reported.
  const halted = stuck.find(({ state }) => state === 'waiting');
  const title = t('notifyStuck');
  return notifyEach(
    stuck.filter((request) => request.state !== 'waiting' || request === halted),
    (request) => ({ title, message: stuckText(request) }),
    (count) => ({ title, message: plural('notifyManyStuck', count) }),
  );
}

/** Shows a notification for each item, or one with their number. */
async function notifyEach<T extends { id: string }>(
  all: T[],
  wordsOf: (one: T) => NotificationText,
  wordsOfMany: (count: number) => NotificationText,
): Promise<void> {
  const isMany = all.length > MAX_NOTIFICATIONS;
  for (const one of isMany ? all.slice(0, 1) : all)
    await showNotification(one.id, isMany ? wordsOfMany(all.length) : wordsOf(one));
}

/** True if the toolbar's popup is open. A popup page in a window does not count, because it cannot copy. */
export async function isPopupOpen(): Promise<boolean> {
  const contexts = await browser.runtime.getContexts({ contextTypes: ['POPUP'] });
  return contexts.length > 0;
}

/** Returns the text of a notification. Systems store notifications, so private ones contain no URL. */
function completedText({ shortUrl, private: isPrivate }: Link): string {
  return isPrivate ? '' : shortUrl;
}

function stuckText({ state, problem, title, url, handedOut, private: isPrivate }: Request): string {
  const sentence = problem ? t(`problem_${problem.code}`) : '';
  if (isPrivate) return sentence;
  const isDead = state === 'failed' && handedOut !== undefined;
  const warning = !isDead ? '' : `\n${t('handedOutDead', handedOut)}`;
  return `${title || url}\n${sentence}${warning}`;
}
