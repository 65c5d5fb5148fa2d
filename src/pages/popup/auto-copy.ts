import type { ReadonlySignal } from '@preact/signals';
import type { Copier } from '../../components/copier.ts';
import type { ShortenProgress } from '../../components/shorten-command.ts';
import type { ListedRequest } from '../../queue/status.ts';
import type { Link } from '../../queue/types.ts';
import type { Settings } from '../../storage/settings.ts';
import type { PopupState } from './popup-state.ts';

/**
 * Maximum age in milliseconds of a request whose link is copied automatically. After a longer wait, the user may have
 * copied something else.
 */
const COPIED_WITHIN_MS = 60_000;

interface Followed {
  settings: ReadonlySignal<Pick<Settings, 'autoCopy' | 'shortenOnOpen'>>;
  state: ReadonlySignal<PopupState>;
  order: ReadonlySignal<ShortenProgress | null>;
  requests: ReadonlySignal<ListedRequest[]>;
  links: ReadonlySignal<Link[]>;
  copy: Copier['copy'];
  now: () => number;
}

/**
 * Returns an effect that copies each new short URL once. If the popup is closed, the background worker copies the
 * short URL instead.
 */
export function followNewLinks({ settings, state, order: placed, requests, links, copy, now }: Followed): () => void {
  const asked = new Map<string, number>();
  const copied = new Set<string>();
  const isRecent = ({ id }: Link) => now() - (asked.get(id) ?? 0) <= COPIED_WITHIN_MS;
  return () => {
    const order = placed.value;
    const { autoCopy, shortenOnOpen } = settings.value;
    for (const { request } of requests.value) if (request.source === 'popup') asked.set(request.id, request.createdAt);
    if (order && !order.handed && order.state !== 'refused' && !asked.has(order.id)) asked.set(order.id, now());
    const link = state.value.kind === 'done' ? state.value.link : null;
    const isAsked = shortenOnOpen || (order?.existing && order.resultId === link?.id);
    const isNew = state.value.kind === 'done' && (state.value.fresh || order?.resultId === link?.id);
    const shown = isAsked || isNew ? link : null;
    const arrived = links.value.filter((one) => isRecent(one) && !copied.has(one.id));
    const next = shown && !copied.has(shown.id) ? shown : arrived.length === 1 ? arrived[0] : null;
    for (const { id } of arrived) copied.add(id);
    if (!next) return;
    copied.add(next.id);
    // If the command came from a menu or a shortcut, the background worker has already copied the short URL. The
    // popup then shows no error if the browser refuses to copy the short URL again.
    if (autoCopy) void copy(next.shortUrl, next === shown && order?.handed);
  };
}
