import browser from '../platform/browser.ts';
import type { Blocked } from '../target/target.ts';
import type { RefusalCode } from './messages.ts';

/** What a context menu or a shortcut has just asked for, handed to the popup that opens to show what became of it. */
export interface PopupTarget {
  /** The order's id: the request's, and its link's, unless `existing` names another. */
  orderId: string;
  /** As the browser named it; undefined where it does not tell. */
  url: string | undefined;
  title: string;
  private: boolean;
  /** Why nothing was accepted. */
  refusal?: RefusalCode | Blocked;
  /** The link that was there already. */
  existing?: { linkId: string; shortUrl: string };
  /** Milliseconds since the epoch. */
  at: number;
}

const KEY = 'popupTarget';

/** A popup opens at once or not at all: one that opens later was opened by the person, over another page. */
const FRESH_MS = 10_000;

/** Hands a target to the popup that is opened next, or to one that is open. In memory alone: it may be private. */
export async function handToPopup(target: PopupTarget): Promise<void> {
  await browser.storage.session.set({ [KEY]: target });
}

/** Takes what was handed over: a second popup does not show it again. Null where there is nothing, or it is old. */
export async function takePopupTarget(now = Date.now()): Promise<PopupTarget | null> {
  const { [KEY]: record } = await browser.storage.session.get(KEY);
  if (record === undefined) return null;
  await browser.storage.session.remove(KEY);
  const target = record as PopupTarget;
  return Math.abs(now - target.at) <= FRESH_MS ? target : null;
}

/** Forgets what was handed over about a private window, where no popup has taken it. */
export async function forgetPrivateTarget(): Promise<void> {
  const { [KEY]: record } = await browser.storage.session.get(KEY);
  if ((record as PopupTarget | undefined)?.private) await browser.storage.session.remove(KEY);
}

/** Calls back when a target is handed over while the popup is open. Returns how to stop. */
export function watchPopupTarget(handed: () => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[KEY]?.newValue !== undefined) handed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
