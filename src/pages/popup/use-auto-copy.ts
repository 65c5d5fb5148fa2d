import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import type { ShortenProgress } from '../../components/hooks/use-shorten.ts';
import type { Link, Request } from '../../queue/types.ts';
import type { PopupState } from './popup-state.ts';

/** A link that took longer is not copied unless it is shown: by then the clipboard holds something else of the person's. */
const COPIED_WITHIN_MS = 60_000;

interface AutoCopy {
  enabled: boolean;
  /** Copies the link of a page that had one as the popup opens: the person wanted no button. */
  copiesEarlier: boolean;
  state: PopupState;
  order: ShortenProgress | null;
  requests: Request[];
  links: Link[];
  clipboard: Clipboard;
}

/**
 * Copies what was asked for in a popup, this one or one before: as it arrives, whether the popup shows it or not. The
 * background leaves it to the popup that is open. Each is copied once, not whenever the popup is painted.
 */
export function useAutoCopy({ enabled, copiesEarlier, state, order, requests, links, clipboard }: AutoCopy): void {
  const asked = useRef(new Map<string, number>());
  const copied = useRef(new Set<string>());
  for (const { id, source, createdAt, handedOut } of requests) {
    if (source === 'popup') asked.current.set(id, createdAt);
    // The person has it: what they copied after that stays on the clipboard.
    if (handedOut !== undefined) copied.current.add(id);
  }
  if (order && !order.handed && order.state !== 'refused' && !asked.current.has(order.id)) {
    asked.current.set(order.id, Date.now());
  }
  const link = state.kind === 'done' ? state.link : null;
  const isAsked = copiesEarlier || (order?.existing && order.resultId === link?.id);
  const isNew = state.kind === 'done' && (state.fresh || order?.resultId === link?.id);
  const shown = isAsked || (isNew && !link?.handedOut) ? link : null;

  // Not left until after the next frame: the person may paste at once.
  useLayoutEffect(() => {
    const isRecent = ({ id }: Link) => Date.now() - (asked.current.get(id) ?? 0) <= COPIED_WITHIN_MS;
    const arrived = links.filter((link) => isRecent(link) && !link.handedOut && !copied.current.has(link.id));
    const next = shown && !copied.current.has(shown.id) ? shown : arrived.length === 1 ? arrived[0] : null;
    for (const { id } of arrived) copied.current.add(id);
    if (!next) return;
    copied.current.add(next.id);
    if (!enabled) return;
    // What was handed over has been copied by the background: a browser that refuses this page is no news.
    clipboard.copy(next.shortUrl, next === shown && order?.handed);
  }, [links, shown?.id]);
}
