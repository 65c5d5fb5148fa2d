import { defaultOptions, enqueue, isLive, optionsOfActive } from '../../queue/accept.ts';
import type { Expiry } from '../../queue/default-expiry.ts';
import { type EstimatedSend, estimateSends } from '../../queue/send-time-estimate.ts';
import { isThrottled, type RequestStatus, requestStatuses } from '../../queue/status.ts';
import type { Link, Queue } from '../../queue/types.ts';
import type { Entry } from './list-model.ts';

/** Estimate of when a list of URLs will be sent and how much quota it uses. */
export interface CostPreview {
  /** Number of HTTP requests that count against the daily quota. One HTTP request may contain several URLs. */
  cost: number;
  sends: EstimatedSend[];
  /** Ids of the requests for this list. `sends` also contains requests that were already in the queue. */
  ids: ReadonlySet<string>;
  /** Reason why the send times cannot be predicted, such as no network. Null if there is no such reason. */
  wait: RequestStatus | null;
}

/**
 * Computes the preview with the same functions that accept and schedule real requests. A URL that already has a
 * usable link uses no quota.
 */
export function previewCost(
  queue: Queue,
  entries: Entry[],
  known: ReadonlyMap<string, Link>,
  expiry: Expiry,
  now: number,
  online: boolean,
): CostPreview {
  const defaults = defaultOptions(expiry);
  const waiting = optionsOfActive(queue);
  const rest = { listId: 'planned', source: 'popup' } as const;
  // Placeholders with the length of real keys and codes, because this length affects how many requests fit into a
  // batch.
  const generation = { newKey: () => '-'.repeat(36), randomBytes: (count: number) => new Uint8Array(count) };
  const before = new Set(queue.requests.map(({ id }) => id));
  const orders = entries
    .filter(({ url }) => !known.has(url))
    .map(({ id, url, title }) => ({ id, url, title, ...rest, ...(waiting.get(url) ?? defaults) }));
  const planned = enqueue(queue, orders, generation, now);
  const ids = new Set(planned.requests.map(({ id }) => id).filter((id) => !before.has(id)));
  const sends = estimateSends(planned, now);
  // Counts all HTTP requests that contain URLs of this list. Some would be sent anyway, so the count may be too high.
  const cost = sends.filter(({ requestIds }) => requestIds.some((id) => ids.has(id))).length;
  const [first = ''] = ids;
  const status = requestStatuses(planned, now, online).get(first);
  return { cost, sends, ids, wait: status && !isThrottled(status) ? status : null };
}

/**
 * Returns the newest reusable link of each URL on a connection. If the user shortens one of these URLs again, its
 * link is reused.
 */
export function liveLinks(links: Link[], connectionId: string, now: number): Map<string, Link> {
  const own = links.filter((link) => link.connectionId === connectionId && isLive(link, now));
  const live = own.sort((one, other) => one.createdAt - other.createdAt);
  return new Map(live.map((link) => [link.url, link]));
}
