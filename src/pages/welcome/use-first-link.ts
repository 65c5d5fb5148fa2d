import { useMemo, useRef, useState } from 'preact/hooks';
import { type Stored, useLinks } from '../../components/hooks/use-stored-data.ts';
import { PAGE_DEPS } from '../../components/page-store.ts';
import { createShortenCommand, type ShortenProgress } from '../../components/shorten-command.ts';
import type { RefusalCode } from '../../messages/protocol.ts';
import { type ListedRequest, listRequests } from '../../queue/status/request-status.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { type NotShortenable, typedTarget } from '../../urls/shortenable-url-rules.ts';

/** State of the first link. */
export type FirstLink =
  | { kind: 'none' }
  | { kind: 'pending'; listed: ListedRequest }
  | { kind: 'done'; link: Link }
  | { kind: 'refused'; code: RefusalCode | NotShortenable }
  /** The background worker never replied. */
  | { kind: 'lost' };

/**
 * Requests one short URL and follows the request until the link exists. If the request fails and the user corrects
 * the URL, a new request replaces the failed one.
 */
export function useFirstLink(queues: Stored<VisibleQueues>, now: number, online: boolean) {
  const asked = useRef<ShortenProgress | null>(null);
  const [blocked, setBlocked] = useState<NotShortenable | null>(null);
  const links = useLinks(() => queryOf(asked.current), []);
  const command = useMemo(() => {
    const refresh = (asking: ShortenProgress) => {
      asked.current = asking;
      return Promise.all([queues.refresh(), links.refresh(queryOf(asking))]);
    };
    return createShortenCommand(PAGE_DEPS, null, false, refresh);
  }, [queues.refresh, links.refresh]);
  const order = command.order.value;
  asked.current = order;

  const found = stateOf(order, queues.value, links.value);
  const shorten = async (text: string) => {
    const target = typedTarget(text, () => false);
    setBlocked('blocked' in target ? target.blocked : null);
    if (!('url' in target)) return;
    const hasFailed = found.kind === 'pending' && found.listed.status.kind === 'failed';
    const insteadOf = hasFailed ? found.listed.request.id : undefined;
    await command.place({ ...target, title: '', connectionId: null, options: null, anew: false, insteadOf });
  };
  const firstLink: FirstLink = blocked ? { kind: 'refused', code: blocked } : found;
  return { firstLink, isAsking: command.asking.value !== null, shorten, askAgain: command.askAgain };

  function stateOf(placed: ShortenProgress | null, view: VisibleQueues, known: Link[]): FirstLink {
    if (!placed) return { kind: 'none' };
    if (placed.state === 'refused') return { kind: 'refused', code: placed.code };
    if (placed.state === 'lost') return { kind: 'lost' };
    const link = known.find(({ id }) => id === placed.resultId);
    if (link) return { kind: 'done', link };
    const requests = listRequests(view, now, online);
    const listed = requests.find(({ request }) => request.id === placed.resultId);
    return listed ? { kind: 'pending', listed } : { kind: 'none' };
  }
}

function queryOf(order: ShortenProgress | null) {
  return { latest: 0, ids: order ? [order.resultId] : [] };
}
