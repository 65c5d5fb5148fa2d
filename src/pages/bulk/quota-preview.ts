import { useEffect, useRef, useState } from 'preact/hooks';
import { defaultOptions, enqueue, isLive, optionsOfActive } from '../../queue/accept-requests.ts';
import type { Expiry } from '../../queue/default-expiry.ts';
import { isThrottled, type RequestStatus, requestStatuses } from '../../queue/status/request-status.ts';
import { type EstimatedSend, estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Link, Queue } from '../../queue/types.ts';
import { onLinksChanged } from '../../storage/change-broadcast.ts';
import { readLinks } from '../../storage/load-page-data.ts';
import { type Entry, MAX_URLS } from './list-model.ts';

/** Estimate of when a list of URLs will be sent and how much quota it uses. */
export interface CostPreview {
  /** Number of HTTP requests that count against the daily quota. One HTTP request may contain several URLs. */
  cost: number;
  sends: EstimatedSend[];
  /** Ids of the requests for this list. `sends` also contains requests that were already in the queue. */
  ids: ReadonlySet<string>;
  /**
   * Reason why the send times cannot be predicted, for example that the browser is offline. Null if there is no such
   * reason.
   */
  wait: RequestStatus | null;
}

/**
 * Computes the preview with the same functions that accept and schedule real requests. A URL that already has a
 * usable link uses no quota.
 */
export function previewCost(
  queue: Queue,
  entries: Entry[],
  known: Map<string, Link>,
  expiry: Expiry,
  now: number,
  online: boolean,
): CostPreview {
  const orders = entries.filter(({ url }) => !known.has(url)).map(({ id, url, title }) => ({ id, url, title }));
  const defaults = defaultOptions(expiry);
  const waiting = optionsOfActive(queue);
  const rest = { groupId: 'planned', source: 'popup' } as const;
  // Placeholders with the length of real keys and codes, because this length affects how many requests fit into a
  // batch.
  const generation = { newKey: () => '-'.repeat(36), randomBytes: (count: number) => new Uint8Array(count) };
  const before = new Set(queue.requests.map(({ id }) => id));
  const planned = enqueue(
    queue,
    orders.map((order) => ({ ...order, ...rest, ...(waiting.get(order.url) ?? defaults) })),
    generation,
    now,
  );
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

/**
 * Estimates the quota usage and the send times for a list of URLs. Returns null until the first estimate is ready.
 * The estimate is computed after the next paint, because long lists take time.
 *
 * @param queue if null, the previous estimate is returned again
 */
export function useCostPreview(
  queue: Queue | null,
  chosen: Entry[],
  known: Map<string, Link>,
  expiry: Expiry,
  now: number,
  online: boolean,
): CostPreview | null {
  const [plan, setPlan] = useState<CostPreview | null>(null);
  useEffect(() => {
    if (!queue) return;
    const timer = setTimeout(() => {
      const sent = chosen.slice(0, MAX_URLS);
      setPlan(previewCost(queue, sent, known, expiry, now, online));
    });
    return () => clearTimeout(timer);
  }, [queue, chosen, known, expiry, now, online]);
  return plan;
}

/**
 * Returns the links that these URLs already have on any connection. Each URL is looked up only once, until links
 * change.
 */
export function useKnownLinks(urls: string[]): Link[] {
  const [links, setLinks] = useState<Link[]>([]);
  const [revision, setRevision] = useState(0);
  const lookedUp = useRef(new Set<string>());
  useEffect(
    () =>
      onLinksChanged(() => {
        lookedUp.current = new Set();
        setRevision((count) => count + 1);
      }),
    [],
  );
  useEffect(() => {
    const seen = lookedUp.current;
    const unknown = urls.filter((url) => !seen.has(url));
    if (unknown.length === 0) return;
    for (const url of unknown) seen.add(url);
    // If the links cannot be read, the page does not mark any URL as already shortened. The background worker still
    // finds existing links.
    readLinks({ latest: 0, urls: unknown })
      .then((found) => setLinks((before) => merged(before, found)))
      .catch(() => undefined);
  }, [urls, revision]);
  return links;
}

function merged(before: Link[], found: Link[]): Link[] {
  if (found.length === 0) return before;
  return [...new Map([...before, ...found].map((link) => [link.id, link])).values()];
}
