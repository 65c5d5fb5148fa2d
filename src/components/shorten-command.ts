import { batch, signal } from '@preact/signals';
import type { PopupTarget } from '../messages/open-page-with-data.ts';
import type { Accepted, PrivateResult, RefusalCode, Reply, SeenServer, ShortenCommand } from '../messages/protocol.ts';
import type { LinkOptions } from '../queue/types.ts';
import { type NotShortenable, pageTarget } from '../urls/shortenable-url-rules.ts';
import type { PageDeps } from './page-store.ts';

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
  /** True if the background worker copies the short URL, because the command came from a menu or a shortcut. */
  isCopied: boolean;
  /** Time of the user's action. */
  at: number;
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
  /** Connection of a command from a private window, as it was when the user gave the command. */
  server?: SeenServer | undefined;
}

/** Returns the progress of a command from a menu or a shortcut. These commands use the default connection. */
export function handedOrder(handed: PopupTarget, connectionId: string | null): ShortenProgress {
  const { orderId, url = '', title, refusal, existing, result, server, isCopied = true } = handed;
  const target = pageTarget(url, () => false);
  const clean = 'url' in target ? target : { url, userInfoRemoved: false };
  const order = {
    ...clean,
    id: orderId,
    title,
    server,
    connectionId: server?.id ?? connectionId,
    options: null,
    anew: false,
    resultId: existing?.linkId ?? orderId,
    existing: existing !== undefined,
    isCopied,
    at: handed.at,
  };
  if (result) return { ...order, state: 'finished', result };
  return refusal === undefined ? { ...order, state: 'accepted' } : { ...order, state: 'refused', code: refusal };
}

/**
 * Holds a page's command to shorten a URL. A command without a reply keeps its id, so that sending the command again
 * creates no second request.
 *
 * @param first command from a menu or a shortcut, if there is one
 * @param refresh re-reads the data that the page shows, so that an accepted request appears immediately
 */
export function createShortenCommand(
  deps: Pick<PageDeps, 'ask' | 'newId' | 'now'>,
  first: ShortenProgress | null,
  isPrivate: boolean,
  refresh: (order: ShortenProgress) => Promise<unknown>,
) {
  const order = signal(first);
  /** Command that waits for its reply. */
  const asking = signal<ShortenProgress | null>(null);

  async function send(asked: ShortenProgress): Promise<boolean> {
    asking.value = asked;
    const answered = await ask(deps, asked, isPrivate);
    const seen = await refresh(answered).then(
      () => true,
      () => false,
    );
    // If the data cannot be read again, the result of the command is unknown (`lost`).
    const isLost = !seen && answered.state === 'accepted';
    // The reply of a command that the user has left is ignored.
    if (asking.value?.id === asked.id) {
      batch(() => {
        asking.value = null;
        order.value = isLost ? { ...answered, state: 'lost' } : answered;
      });
    }
    return isDone(answered) && seen;
  }

  /** Sends a command. Resolves to true if the command is accepted. */
  function place(asked: NewShortenCommand): Promise<boolean> {
    const before = order.value;
    if (before && isUnanswered(before) && isSameCommand(before, asked))
      return send({ ...before, isCopied: false, state: 'accepted' });
    const id = deps.newId();
    return send({ ...asked, id, at: deps.now(), resultId: id, existing: false, isCopied: false, state: 'accepted' });
  }

  /** Sends an unanswered or refused command again. */
  function askAgain(): void {
    const before = order.value;
    if (!before || asking.value) return;
    // A request that the server refused needs another id, and thus gets another idempotency key and code.
    if (before.state === 'finished' && !isUnanswered(before)) void place(before);
    else void send({ ...before, isCopied: false, state: 'accepted' });
  }

  /** Replaces the command by another one, or by none. */
  function show(next: ShortenProgress | null): void {
    batch(() => {
      asking.value = null;
      order.value = next;
    });
  }

  return { order, asking, place, askAgain, show };
}

/** True if two commands would create the same link. */
function isSameCommand(one: NewShortenCommand, other: NewShortenCommand): boolean {
  const essence = ({ url, title, connectionId, options, anew, insteadOf }: NewShortenCommand) =>
    JSON.stringify([url, title, connectionId, options, anew, insteadOf ?? null]);
  return essence(one) === essence(other);
}

async function ask(deps: Pick<PageDeps, 'ask'>, order: ShortenProgress, isPrivate: boolean): Promise<ShortenProgress> {
  const { id, at, url, title, connectionId, options, anew, insteadOf, server } = order;
  const content = { connectionId, options, anew };
  try {
    if (isPrivate) {
      // A command from a private window is never repeated automatically.
      const command = { id, at, url, title, server, ...content };
      return finished(order, await deps.ask<PrivateResult>({ type: 'shorten-privately', ...command }));
    }
    const orders = [{ id, url, title }];
    return answered(order, await deps.ask<Accepted>({ type: 'shorten', orders, ...content, insteadOf }));
  } catch {
    return { ...order, state: 'lost' };
  }
}

function finished(order: ShortenProgress, reply: Reply<PrivateResult>): ShortenProgress {
  if (!reply.ok) return { ...order, state: 'refused', code: reply.code };
  const result = reply.value;
  if (!('link' in result)) return { ...order, state: 'finished', result };
  return { ...order, resultId: result.link.id, existing: !result.isNew, state: 'finished', result };
}

/** True if the command has led to a link or a request. */
function isDone(order: ShortenProgress): boolean {
  return order.state === 'accepted' || (order.state === 'finished' && 'link' in order.result);
}

/** True if the server may have handled the command, so that it must be sent again with the same id. */
function isUnanswered(order: ShortenProgress): boolean {
  if (order.state !== 'finished') return order.state === 'lost';
  return 'problem' in order.result && !order.result.isRefused;
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
