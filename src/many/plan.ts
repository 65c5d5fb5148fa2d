import { type ExpectedSend, expectedSends } from '../queue/estimate.ts';
import { defaultOptions, type Expiry } from '../queue/expiry.ts';
import { isLive } from '../queue/live-link.ts';
import { isPaced, type RequestStatus, requestStatuses } from '../queue/request-status.ts';
import { enqueue, optionsOnTheirWay } from '../queue/requests.ts';
import type { Link, Queue, Time } from '../queue/types.ts';
import type { Entry } from './entries.ts';

/** What sending some addresses of a list comes to. */
export interface Plan {
  /** Units of the budget. */
  cost: number;
  sends: ExpectedSend[];
  /** The ids that are new in `sends`. */
  ids: ReadonlySet<string>;
  /** What keeps them from being sent then; null where that is only the budget and the pace, which `sends` tell of. */
  wait: RequestStatus | null;
}

/** Works out a list before it is sent, by the rules that accept and send it. Addresses that have a live link cost nothing. */
export function planOf(
  queue: Queue,
  entries: Entry[],
  known: Map<string, Link>,
  isPrivate: boolean,
  expiry: Expiry,
  time: Time,
  online: boolean,
): Plan {
  const orders = entries.filter(({ url }) => !known.has(url)).map(({ id, url, title }) => ({ id, url, title }));
  const defaults = defaultOptions(queue.connection, expiry, time.now);
  const waiting = optionsOnTheirWay(queue, isPrivate);
  const rest = { groupId: 'planned', source: 'popup', private: isPrivate } as const;
  // Keys and codes as long as those that are minted: what goes into one batch depends on it.
  const minting = { newKey: () => '-'.repeat(36), randomBytes: (count: number) => new Uint8Array(count) };
  const before = new Set(queue.requests.map(({ id }) => id));
  const planned = enqueue(
    queue,
    orders.map((order) => ({ ...order, ...rest, options: waiting.get(order.url) ?? defaults })),
    minting,
    time,
  );
  const ids = new Set(planned.requests.map(({ id }) => id).filter((id) => !before.has(id)));
  const sends = expectedSends(planned, time);
  // What shares a batch with something that waits already costs no unit of its own, but is part of one.
  const cost = sends.filter(({ requestIds }) => requestIds.some((id) => ids.has(id))).length;
  const [first = ''] = ids;
  const status = requestStatuses(planned, time, online).get(first);
  return { cost, sends, ids, wait: status && !isPaced(status) ? status : null };
}

/** The links that addresses have on a connection, by the address: those that a request would be answered with, the newest live ones. */
export function liveLinks(links: Link[], connectionId: string, now: number): Map<string, Link> {
  const own = links.filter((link) => link.connectionId === connectionId && isLive(link, now));
  const live = own.sort((one, other) => one.createdAt - other.createdAt);
  return new Map(live.map((link) => [link.url, link]));
}
