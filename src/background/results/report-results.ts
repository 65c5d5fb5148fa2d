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

/** A link that took longer is not copied by itself: by then the clipboard holds something the person put there. */
const COPIED_WITHIN_MS = 60_000;

/** More than this at once are one notification. */
const MOST_NOTIFICATIONS = 3;

/** Reads what has become of a group; null: it is forgotten. */
export type ReadGroup = (id: string) => Promise<VisibleGroup | null>;

/**
 * Copies a fresh link and says what became of requests, but for what an open popup shows: it was asked for there. A group is
 * reported once, when nothing of it is on its way any more.
 */
export async function reportResults(finished: Finished, readGroup: ReadGroup): Promise<void> {
  const { links, stuck, renamed, groupIds } = finished;
  const popupOpen = await isPopupOpen();
  const replaced = links.map(({ link }) => link).filter((link) => link.replaces !== undefined);
  for (const one of [...renamed, ...replaced]) await reportReplaced(one, popupOpen);
  const isReported = (source: Request['source']) => source === 'background' || !popupOpen;
  const shown = links.filter(({ link, source }) => link.groupId === null && isReported(source));
  const { autoCopy, notifications } = await readReporting();
  const copied = autoCopy ? await copyLatest(shown) : null;
  if (!notifications) return;
  await notifyLinks(
    shown.map(({ link }) => link).filter((link) => !replaced.includes(link)),
    copied,
  );
  // What has failed of a group is counted with it; that its queue halts is not about the group.
  const isAlone = ({ groupId, state }: Request) => groupId === null || state === 'waiting';
  await notifyStuck(stuck.filter((request) => isAlone(request) && isReported(request.source)));
  for (const id of groupIds) await notifyGroup(id, readGroup);
}

const GROUP = 'group=';

/** A notification's id is all that a click on it brings: that of a list is the query of its page. */
function groupNotification({ id, private: isPrivate }: Group): string {
  return `${GROUP}${id}${isPrivate ? '&private' : ''}`;
}

/** The person has clicked a notification: that of a list opens it. */
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
 * Copies the link that was just asked for. One of several that arrive together is not what the person means to paste, and
 * what they copied while it waited they have: what they copied after that stays on the clipboard.
 */
async function copyLatest(links: FinishedLink[]): Promise<Link | null> {
  const [only, ...others] = links.filter(({ waitedMs, handedOut }) => waitedMs <= COPIED_WITHIN_MS && !handedOut);
  if (!only || others.length > 0) return null;
  return (await copyText(only.link.shortUrl)) ? only.link : null;
}

/** The person has a short URL that somebody else may have: whatever they set, they are told, if by the popup opening. */
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
  // Where the queue halts, whatever waits does so for one reason.
  const halted = stuck.find(({ state }) => state === 'waiting');
  const title = t('notifyStuck');
  return notifyEach(
    stuck.filter((request) => request.state !== 'waiting' || request === halted),
    (request) => ({ title, message: stuckText(request) }),
    (count) => ({ title, message: plural('notifyManyStuck', count) }),
  );
}

/** Notifies of each of a few, or of how many there are. */
async function notifyEach<T extends { id: string }>(
  all: T[],
  wordsOf: (one: T) => NotificationText,
  wordsOfMany: (count: number) => NotificationText,
): Promise<void> {
  const isMany = all.length > MOST_NOTIFICATIONS;
  for (const one of isMany ? all.slice(0, 1) : all)
    await showNotification(one.id, isMany ? wordsOfMany(all.length) : wordsOf(one));
}

/** Only the toolbar's own popup: the same page in a window is no place that a copy could be left to. */
export async function isPopupOpen(): Promise<boolean> {
  const contexts = await browser.runtime.getContexts({ contextTypes: ['POPUP'] });
  return contexts.length > 0;
}

/** Systems keep notifications: one about a private window does not say where that was, or where it leads. */
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
