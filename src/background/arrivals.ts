import browser from 'webextension-polyfill';
import type { RefusalCode } from '../messages/messages.ts';
import type { Link, Request } from '../queue/types.ts';
import { readSettings } from '../storage/settings.ts';
import { copyText } from './clipboard.ts';
import { notify } from './notify.ts';
import type { Arrival } from './pump.ts';

/** A link that took longer is not copied by itself: by then the clipboard holds something the person put there. */
const COPIED_WITHIN_MS = 60_000;

/** Tells the person what has become of their requests, unless they are looking at it: then the popup does. */
export async function tellArrivals(arrivals: Arrival[], stuck: Request[]): Promise<void> {
  if (await popupIsOpen()) return;
  const settings = await readSettings();
  const fresh = arrivals.findLast(({ waited }) => waited <= COPIED_WITHIN_MS)?.link;
  const copied = fresh !== undefined && settings.autoCopy && (await copyText(fresh.shortUrl));
  if (!settings.notifications) return;
  for (const { link } of arrivals) await notify(link.id, doneText(copied && link === fresh), arrivedText(link));
  // Where the queue halts, whatever waits does so for one reason.
  const halted = stuck.find(({ state }) => state === 'waiting');
  const tell = stuck.filter((request) => request.state !== 'waiting' || request === halted);
  for (const request of tell) await notify(request.id, browser.i18n.getMessage('notifyStuck'), stuckText(request));
}

/** Tells why a right-click or a shortcut came to nothing. Without a connection the next step is the options page. */
export async function tellRefusal(code: RefusalCode): Promise<void> {
  if (code === 'no_connection') return browser.runtime.openOptionsPage();
  const { notifications } = await readSettings();
  if (notifications)
    await notify('refusal', browser.i18n.getMessage('notifyStuck'), browser.i18n.getMessage(`refusal_${code}`));
}

async function popupIsOpen(): Promise<boolean> {
  const contexts = await chrome.runtime.getContexts({ contextTypes: [chrome.runtime.ContextType.POPUP] });
  return contexts.length > 0;
}

function doneText(copied: boolean): string {
  return browser.i18n.getMessage(copied ? 'notifyCopied' : 'notifyReady');
}

/** Systems keep notifications: one about a private window does not say where that was, or where it leads. */
function arrivedText({ shortUrl, private: isPrivate }: Link): string {
  return isPrivate ? '' : shortUrl;
}

function stuckText({ problem, title, url, private: isPrivate }: Request): string {
  const sentence = problem ? browser.i18n.getMessage(`problem_${problem.code}`) : '';
  return isPrivate ? sentence : `${title || url}\n${sentence}`;
}
