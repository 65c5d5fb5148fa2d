import { useCallback, useRef, useState } from 'preact/hooks';
import type { RefusalCode } from '../messages/messages.ts';
import type { Link } from '../queue/types.ts';
import type { QueuesView } from '../storage/view.ts';
import { type Blocked, typedTarget } from '../target/target.ts';
import { type ListedRequest, listRequests } from '../ui/listed-requests.ts';
import { type PlacedOrder, useOrder } from '../ui/use-order.ts';
import { type Stored, useLinks } from '../ui/use-stored.ts';

/** What has become of the first link. */
export type FirstLink =
  | { kind: 'none' }
  | { kind: 'pending'; listed: ListedRequest }
  | { kind: 'done'; link: Link }
  | { kind: 'refused'; code: RefusalCode | Blocked }
  /** The background never answered. */
  | { kind: 'lost' };

/**
 * Orders one short URL, and follows it to its end. A corrected address takes the place of the one that failed.
 */
export function useFirstLink(isPrivate: boolean, queues: Stored<QueuesView>, now: number, online: boolean) {
  const asked = useRef<PlacedOrder | null>(null);
  const [blocked, setBlocked] = useState<Blocked | null>(null);
  const links = useLinks(isPrivate, () => queryOf(asked.current), []);
  const refresh = useCallback(
    (order: PlacedOrder) => {
      asked.current = order;
      return Promise.all([queues.refresh(), links.refresh(queryOf(order))]);
    },
    [queues.refresh, links.refresh],
  );
  const { order, asking, place, askAgain } = useOrder(null, isPrivate, refresh);
  asked.current = order;

  const found = stateOf(order, queues.value, links.value);
  const shorten = async (text: string) => {
    const target = typedTarget(text, () => false);
    setBlocked('blocked' in target ? target.blocked : null);
    if (!('url' in target)) return;
    const hasFailed = found.kind === 'pending' && found.listed.status.kind === 'failed';
    const insteadOf = hasFailed ? found.listed.request.id : undefined;
    await place({ ...target, title: '', connectionId: null, options: null, anew: false, insteadOf });
  };
  const firstLink: FirstLink = blocked ? { kind: 'refused', code: blocked } : found;
  return { firstLink, isAsking: asking !== null, shorten, askAgain };

  function stateOf(placed: PlacedOrder | null, view: QueuesView, known: Link[]): FirstLink {
    if (!placed) return { kind: 'none' };
    if (placed.state === 'refused') return { kind: 'refused', code: placed.code };
    if (placed.state === 'lost') return { kind: 'lost' };
    const link = known.find(({ id }) => id === placed.resultId);
    if (link) return { kind: 'done', link };
    const requests = listRequests(view, { now, workerId: 'page' }, online);
    const listed = requests.find(({ request }) => request.id === placed.resultId);
    return listed ? { kind: 'pending', listed } : { kind: 'none' };
  }
}

function queryOf(order: PlacedOrder | null) {
  return { latest: 0, ids: order ? [order.resultId] : [] };
}
