import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import type { ShortenProgress } from '../../components/hooks/use-shorten.ts';
import type { Link, Request } from '../../queue/types.ts';
import type { PopupState } from './popup-state.ts';

/**
 * Maximum age in milliseconds of a request whose link is copied automatically. After a longer wait, the user may have
 * copied something else.
 */
const COPIED_WITHIN_MS = 60_000;

interface AutoCopy {
  enabled: boolean;
  /**
   * True to copy the page's existing short URL when the popup opens. The value comes from the setting
   * `shortenOnOpen`.
   */
  copiesEarlier: boolean;
  state: PopupState;
  order: ShortenProgress | null;
  requests: Request[];
  links: Link[];
  clipboard: Clipboard;
}

/**
 * Copies each new short URL to the clipboard once. If the popup is closed, the background worker copies the short URL
 * instead.
 */
export function useAutoCopy({ enabled, copiesEarlier, state, order, requests, links, clipboard }: AutoCopy): void {
  const asked = useRef(new Map<string, number>());
  const copied = useRef(new Set<string>());
  for (const { id, source, createdAt } of requests) if (source === 'popup') asked.current.set(id, createdAt);
  if (order && !order.handed && order.state !== 'refused' && !asked.current.has(order.id)) {
    asked.current.set(order.id, Date.now());
  }
  const link = state.kind === 'done' ? state.link : null;
  const isAsked = copiesEarlier || (order?.existing && order.resultId === link?.id);
  const isNew = state.kind === 'done' && (state.fresh || order?.resultId === link?.id);
  const shown = isAsked || isNew ? link : null;

  // Copies the short URL before the popup shows it, so that the user can paste immediately.
  useLayoutEffect(() => {
    const isRecent = ({ id }: Link) => Date.now() - (asked.current.get(id) ?? 0) <= COPIED_WITHIN_MS;
    const arrived = links.filter((link) => isRecent(link) && !copied.current.has(link.id));
    const next = shown && !copied.current.has(shown.id) ? shown : arrived.length === 1 ? arrived[0] : null;
    for (const { id } of arrived) copied.current.add(id);
    if (!next) return;
    copied.current.add(next.id);
    if (!enabled) return;
    // If the command came from a menu or a shortcut, the background worker has already copied the short URL. The
    // popup then shows no error if the browser refuses to copy the short URL again.
    clipboard.copy(next.shortUrl, next === shown && order?.handed);
  }, [links, shown?.id]);
}
