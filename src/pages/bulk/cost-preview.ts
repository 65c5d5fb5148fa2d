import { useEffect, useRef, useState } from 'preact/hooks';
import { readLinks } from '../../components/hooks/use-stored-data.ts';
import { defaultOptions, enqueue, isLive, optionsOfActive } from '../../queue/accept-requests.ts';
import type { Expiry } from '../../queue/default-expiry.ts';
import { isThrottled, type RequestStatus, requestStatuses } from '../../queue/status/request-status.ts';
import { type EstimatedSend, estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Link, Queue, Time } from '../../queue/types.ts';
import { onLinksChanged } from '../../storage/change-broadcast.ts';
import { type Entry, MAX_URLS } from './list-model.ts';

/** What sending some addresses of a list comes to. */
export interface CostPreview {
  /** Units of the budget. */
  cost: number;
  sends: EstimatedSend[];
  /** The ids that are new in `sends`. */
  ids: ReadonlySet<string>;
  /** What keeps them from being sent then; null where that is only the budget and the pace, which `sends` tell of. */
  wait: RequestStatus | null;
}

/** Works out a list before it is sent, by the rules that accept and send it. Addresses that have a live link cost nothing. */
export function previewCost(
  queue: Queue,
  entries: Entry[],
  known: Map<string, Link>,
  isPrivate: boolean,
  expiry: Expiry,
  time: Time,
  online: boolean,
): CostPreview {
  const orders = entries.filter(({ url }) => !known.has(url)).map(({ id, url, title }) => ({ id, url, title }));
  const defaults = defaultOptions(expiry);
  const waiting = optionsOfActive(queue, isPrivate);
  const rest = { groupId: 'planned', source: 'popup', private: isPrivate } as const;
  // Keys and codes as long as those that are minted: what goes into one batch depends on it.
  const minting = { newKey: () => '-'.repeat(36), randomBytes: (count: number) => new Uint8Array(count) };
  const before = new Set(queue.requests.map(({ id }) => id));
  const planned = enqueue(
    queue,
    orders.map((order) => ({ ...order, ...rest, ...(waiting.get(order.url) ?? defaults) })),
    minting,
    time,
  );
  const ids = new Set(planned.requests.map(({ id }) => id).filter((id) => !before.has(id)));
  const sends = estimateSends(planned, time);
  // What shares a batch with something that waits already costs no unit of its own, but is part of one.
  const cost = sends.filter(({ requestIds }) => requestIds.some((id) => ids.has(id))).length;
  const [first = ''] = ids;
  const status = requestStatuses(planned, time, online).get(first);
  return { cost, sends, ids, wait: status && !isThrottled(status) ? status : null };
}

/** The links that addresses have on a connection, by the address: those that a request would be answered with, the newest live ones. */
export function liveLinks(links: Link[], connectionId: string, now: number): Map<string, Link> {
  const own = links.filter((link) => link.connectionId === connectionId && isLive(link, now));
  const live = own.sort((one, other) => one.createdAt - other.createdAt);
  return new Map(live.map((link) => [link.url, link]));
}

/**
 * What sending the chosen addresses comes to; null before the first is worked out. For a thousand that takes longer than
 * anything else on the page, so it is done after what has changed is painted.
 *
 * @param queue null: nothing is planned now, and the last plan stands
 */
export function useCostPreview(
  queue: Queue | null,
  chosen: Entry[],
  known: Map<string, Link>,
  isPrivate: boolean,
  expiry: Expiry,
  now: number,
  online: boolean,
): CostPreview | null {
  const [plan, setPlan] = useState<CostPreview | null>(null);
  useEffect(() => {
    if (!queue) return;
    const timer = setTimeout(() => {
      const sent = chosen.slice(0, MAX_URLS);
      setPlan(previewCost(queue, sent, known, isPrivate, expiry, { now, workerId: 'page' }, online));
    });
    return () => clearTimeout(timer);
  }, [queue, chosen, known, isPrivate, expiry, now, online]);
  return plan;
}

/** The links that these addresses have already, on any connection. Each address is looked up once, until links change. */
export function useKnownLinks(isPrivate: boolean, urls: string[]): Link[] {
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
    // Where it cannot be read, nothing is folded here: the background folds what it accepts all the same.
    readLinks(isPrivate, { latest: 0, urls: unknown })
      .then((found) => setLinks((before) => merged(before, found)))
      .catch(() => undefined);
  }, [isPrivate, urls, revision]);
  return links;
}

function merged(before: Link[], found: Link[]): Link[] {
  if (found.length === 0) return before;
  return [...new Map([...before, ...found].map((link) => [link.id, link])).values()];
}
