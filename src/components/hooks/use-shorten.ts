import { useCallback, useRef, useState } from 'preact/hooks';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { PopupTarget } from '../../messages/open-page.ts';
import type { Accepted, RefusalCode, Reply, ShortenCommand } from '../../messages/protocol.ts';
import type { LinkOptions } from '../../queue/types.ts';
import { type NotShortenable, pageTarget } from '../../urls/shortenable-url.ts';

/** What the person asked for in this popup. Its id is the request's, so asking again is asking once. */
export type ShortenProgress = NewShortenCommand & {
  id: string;
  /** The request it was accepted as, and later the link: its own, unless the same was there already. */
  resultId: string;
  /** The link was there before. */
  existing: boolean;
  /** It came from a menu or a shortcut. */
  handed: boolean;
} & ({ state: 'accepted' | 'lost' } | { state: 'refused'; code: RefusalCode | NotShortenable });

/** An address to shorten, cleaned up, and with which connection. */
export interface NewShortenCommand extends Omit<ShortenCommand, 'id'> {
  /** Null: the default connection. */
  connectionId: string | null;
  userInfoRemoved: boolean;
  /** Null: the user's link defaults apply. */
  options: LinkOptions | null;
  /** Another link even where there is one. */
  anew: boolean;
  /** The id of a request that this one replaces. */
  insteadOf?: string | undefined;
}

/** What a menu or a shortcut has asked for, as if it had been asked for here. They use the default connection. */
export function handedOrder(handed: PopupTarget, connectionId: string | null): ShortenProgress {
  const { orderId, url = '', title, refusal, existing } = handed;
  const target = pageTarget(url, () => false);
  const clean = 'url' in target ? target : { url, userInfoRemoved: false };
  const order = {
    ...clean,
    id: orderId,
    title,
    connectionId,
    options: null,
    anew: false,
    resultId: existing?.linkId ?? orderId,
    existing: existing !== undefined,
    handed: true,
  };
  return refusal === undefined ? { ...order, state: 'accepted' } : { ...order, state: 'refused', code: refusal };
}

/**
 * The order of this popup. Its id is minted once and asked with until it is answered, so that a background that dies over
 * the question cannot make two requests of one order. Until then it is `asking`, and nothing says that it has been accepted.
 *
 * @param refresh reads what the popup shows of an order, so that an accepted one is found there at once
 */
export function useShorten(
  first: ShortenProgress | null,
  isPrivate: boolean,
  refresh: (order: ShortenProgress) => Promise<unknown>,
) {
  const [order, setOrder] = useState(first);
  const [asking, setAsking] = useState<ShortenProgress | null>(null);
  const current = useRef<string | null>(first?.id ?? null);

  const send = useCallback(
    async (asked: ShortenProgress): Promise<boolean> => {
      current.current = asked.id;
      setAsking(asked);
      const answered = await answerTo(asked, isPrivate);
      const seen = await refresh(answered).then(
        () => true,
        () => false,
      );
      // Accepted, but out of sight: asked again by the same id, it is still one order.
      const isLost = !seen && answered.state !== 'refused';
      if (current.current === asked.id) {
        setAsking(null);
        setOrder(isLost ? { ...answered, state: 'lost' } : answered);
      }
      return seen && answered.state === 'accepted';
    },
    [isPrivate, refresh],
  );

  /** Resolves to true once the order is accepted. */
  const place = useCallback(
    (asked: NewShortenCommand) => {
      const id = crypto.randomUUID();
      return send({ ...asked, id, resultId: id, existing: false, handed: false, state: 'accepted' });
    },
    [send],
  );

  const show = useCallback((next: ShortenProgress | null) => {
    current.current = next?.id ?? null;
    setAsking(null);
    setOrder(next);
  }, []);

  const askAgain = () => order && void send({ ...order, state: 'accepted' });
  return { order, asking, place, askAgain, show };
}

async function answerTo(order: ShortenProgress, isPrivate: boolean): Promise<ShortenProgress> {
  const { id, url, title, connectionId, options, anew, insteadOf } = order;
  try {
    const reply = await sendToBackgroundWithRetry<Accepted>({
      type: 'shorten',
      orders: [{ id, url, title }],
      connectionId,
      options,
      anew,
      private: isPrivate,
      insteadOf,
    });
    return answered(order, reply);
  } catch {
    return { ...order, state: 'lost' };
  }
}

function answered(order: ShortenProgress, reply: Reply<Accepted>): ShortenProgress {
  if (!reply.ok) return { ...order, state: 'refused', code: reply.code };
  const { existing, requestIds, userInfoRemoved } = reply.value;
  const [link] = existing;
  return {
    ...order,
    state: 'accepted',
    resultId: link?.linkId ?? requestIds[0] ?? order.id,
    existing: link !== undefined && link.linkId !== order.id,
    userInfoRemoved: order.userInfoRemoved || userInfoRemoved,
  };
}
