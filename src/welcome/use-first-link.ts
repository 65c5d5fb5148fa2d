import { useCallback, useRef, useState } from 'preact/hooks';
import type { Message, RefusalCode } from '../messages/messages.ts';
import type { Link } from '../queue/types.ts';
import type { QueuesView } from '../storage/view.ts';
import { type Blocked, typedTarget } from '../target/target.ts';
import { type ListedRequest, listRequests } from '../ui/listed-requests.ts';
import { type PlacedOrder, useOrder } from '../ui/use-order.ts';
import { type Stored, useLinks } from '../ui/use-stored.ts';

/** What has become of the first link. */
export type FirstLink =
  | { kind: 'none' }
  | { kind: 'asking' }
  | { kind: 'pending'; listed: ListedRequest }
  | { kind: 'done'; link: Link }
  | { kind: 'refused'; code: RefusalCode | Blocked }
  /** The background never answered. */
  | { kind: 'lost' };

/**
 * Orders one short URL, and follows it to its end. A corrected address takes the place of the one that failed.
 *
 * @param change tells the background to change something: whether it was done
 */
export function useFirstLink(
  isPrivate: boolean,
  queues: Stored<QueuesView>,
  now: number,
  online: boolean,
  change: (message: Message) => Promise<boolean>,
) {
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
  const { order, place, askAgain } = useOrder(null, isPrivate, refresh);
  asked.current = order;

  const found = stateOf(order, queues.value, links.value);
  const shorten = async (text: string) => {
    const target = typedTarget(text, () => false);
    setBlocked('blocked' in target ? target.blocked : null);
    if (!('url' in target)) return;
    const failed = found.kind === 'pending' && found.listed.status.kind === 'failed' && found.listed.request.id;
    if (failed && !(await change({ type: 'cancel', ids: [failed] }))) return;
    place({ ...target, title: '', connectionId: null, options: null, anew: false });
  };
  return { firstLink: blocked ? ({ kind: 'refused', code: blocked } as const) : found, shorten, askAgain };

  function stateOf(placed: PlacedOrder | null, view: QueuesView, known: Link[]): FirstLink {
    if (!placed) return { kind: 'none' };
    if (placed.state === 'refused') return { kind: 'refused', code: placed.code };
    if (placed.state === 'lost') return { kind: 'lost' };
    const link = known.find(({ id }) => id === placed.resultId);
    if (link) return { kind: 'done', link };
    const requests = listRequests(view, { now, workerId: 'page' }, online);
    const listed = requests.find(({ request }) => request.id === placed.resultId);
    return listed ? { kind: 'pending', listed } : { kind: 'asking' };
  }
}

function queryOf(order: PlacedOrder | null) {
  return { latest: 0, ids: order ? [order.resultId] : [] };
}
