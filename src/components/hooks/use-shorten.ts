import { useCallback, useRef, useState } from 'preact/hooks';
import { sendToBackground, sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { PopupTarget } from '../../messages/open-page-with-data.ts';
import type { Accepted, PrivateResult, RefusalCode, Reply, ShortenCommand } from '../../messages/protocol.ts';
import type { LinkOptions } from '../../queue/types.ts';
import { type NotShortenable, pageTarget } from '../../urls/shortenable-url-rules.ts';

/**
 * Command to shorten a URL, with its progress. The resulting request has the same id as the command, so sending the
 * command twice creates only one request.
 */
export type ShortenProgress = NewShortenCommand & {
  id: string;
  /** Id of the request or link that the command led to. Differs from `id` if an existing request or link is reused. */
  resultId: string;
  /** True if the link already existed. */
  existing: boolean;
  /** True if the user started the command from a menu or a shortcut, not in the popup. */
  handed: boolean;
  /** Time at which the user gave the command. */
  at: number;
  /** Time at which the command was last sent. Null if it was not sent before. */
  lastSentAt: number | null;
} & (
    | { state: 'accepted' | 'lost' }
    | { state: 'refused'; code: RefusalCode | NotShortenable }
    /** Result of a command from a private window, which exists only here. */
    | { state: 'finished'; result: PrivateResult }
  );

/** A cleaned-up URL to shorten, and the connection to use. */
export interface NewShortenCommand extends Omit<ShortenCommand, 'id'> {
  /** Null for the default connection. */
  connectionId: string | null;
  userInfoRemoved: boolean;
  /** Null to apply the user's default options. */
  options: LinkOptions | null;
  /** True to create another link even if the URL already has one. */
  anew: boolean;
  /** Id of the request that this command replaces. */
  insteadOf?: string | undefined;
}

/** Returns the progress of a command from a menu or a shortcut. These commands use the default connection. */
export function handedOrder(handed: PopupTarget, connectionId: string | null): ShortenProgress {
  const { orderId, url = '', title, at, refusal, existing, result } = handed;
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
    at,
    lastSentAt: result ? at : null,
  };
  if (result) return { ...order, state: 'finished', result };
  return refusal === undefined ? { ...order, state: 'accepted' } : { ...order, state: 'refused', code: refusal };
}

/**
 * Manages the popup's command to shorten a URL. A command without a reply keeps its id, so that sending the command
 * again creates no second request. `asking` is the command that is waiting for a reply.
 *
 * @param refresh re-reads the data that the popup shows, so that an accepted request appears immediately
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
      const lastSentAt = Date.now();
      const answered = { ...(await (isPrivate ? askPrivately(asked) : answerTo(asked))), lastSentAt };
      const seen = await refresh(answered).then(
        () => true,
        () => false,
      );
      // If the data cannot be read again, the result of the command is unknown (`lost`).
      const isLost = !seen && answered.state === 'accepted';
      if (current.current === asked.id) {
        setAsking(null);
        setOrder(isLost ? { ...answered, state: 'lost' } : answered);
      }
      return isDone(answered) && seen;
    },
    [isPrivate, refresh],
  );

  /**
   * Sends a command. Resolves to true if the command is accepted. A command that is repeated after a lost reply keeps
   * its id, so that no second request is created.
   */
  const place = useCallback(
    (asked: NewShortenCommand) => {
      if (order && isUnanswered(order) && isSameCommand(order, asked)) return send({ ...order, state: 'accepted' });
      const id = crypto.randomUUID();
      const command = { ...asked, id, resultId: id, existing: false, handed: false };
      return send({ ...command, at: Date.now(), lastSentAt: null, state: 'accepted' });
    },
    [send, order],
  );

  const show = useCallback((next: ShortenProgress | null) => {
    current.current = next?.id ?? null;
    setAsking(null);
    setOrder(next);
  }, []);

  const askAgain = (): void => {
    if (!order) return;
    // The generated code of a private command follows from its id, so another code needs another id.
    const id = isCodeTaken(order) ? crypto.randomUUID() : order.id;
    void send({ ...order, id, resultId: id === order.id ? order.resultId : id, state: 'accepted' });
  };
  return { order, asking, place, askAgain, show };
}

/** True if two commands would create the same link. */
function isSameCommand(one: NewShortenCommand, other: NewShortenCommand): boolean {
  const essence = ({ url, title, connectionId, options, anew, insteadOf }: NewShortenCommand) =>
    JSON.stringify([url, title, connectionId, options, anew, insteadOf ?? null]);
  return essence(one) === essence(other);
}

async function answerTo(order: ShortenProgress): Promise<ShortenProgress> {
  const { id, url, title, connectionId, options, anew, insteadOf } = order;
  try {
    const reply = await sendToBackgroundWithRetry<Accepted>({
      type: 'shorten',
      orders: [{ id, url, title }],
      connectionId,
      options,
      anew,
      insteadOf,
    });
    return answered(order, reply);
  } catch {
    return { ...order, state: 'lost' };
  }
}

/** Sends a command from a private window. It is never repeated automatically. */
async function askPrivately(order: ShortenProgress): Promise<ShortenProgress> {
  const { id, url, title, connectionId, options, anew, at, lastSentAt } = order;
  const command = { id, url, title, connectionId, options, anew, at, lastSentAt };
  try {
    const reply = await sendToBackground<PrivateResult>({ type: 'shorten-privately', ...command });
    if (!reply.ok) return { ...order, state: 'refused', code: reply.code };
    const result = reply.value;
    const isKnown = 'link' in result && !result.isNew;
    return { ...order, existing: isKnown, state: 'finished', result };
  } catch {
    return { ...order, state: 'lost' };
  }
}

/** True if the command has led to a link or a request. */
function isDone(order: ShortenProgress): boolean {
  return order.state === 'accepted' || (order.state === 'finished' && 'link' in order.result);
}

/** True if the server may have handled the command, so that it must be sent again with the same id. */
function isUnanswered(order: ShortenProgress): boolean {
  if (order.state === 'finished') return 'problem' in order.result && !isCodeTaken(order);
  return order.state === 'lost';
}

function isCodeTaken(order: ShortenProgress): boolean {
  if (order.state !== 'finished' || 'link' in order.result) return false;
  return order.result.problem.code === 'generated_code_taken';
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
