import type { Accepted, Message, RefusalCode, Reply } from '../../messages/protocol.ts';
import { type AcceptResult, acceptRequests, type CleanCommand, hasOptions } from '../../queue/accept.ts';
import type { Connection, Queue, Request } from '../../queue/types.ts';
import { cancel } from '../../queue/user-actions.ts';
import { isListMissing, ownShortUrls, shortUrlForms, takesOptions } from '../../servers/capabilities.ts';
import type { LinkLookup } from '../../storage/links.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../../storage/settings.ts';
import { applyUrlDefaults, pageTarget } from '../../urls/shortenable-url-rules.ts';
import type { WorkerContext } from '../worker-context.ts';

type ShortenCommands = Omit<Message & { type: 'shorten' }, 'type'> & { source: Request['source'] };

/* User commands about link requests and queues. Each command replies once its change is on disk. */

/**
 * Adds the URLs of a command to one connection's queue and cancels the request that they replace, even if that request
 * is in another queue, in one transaction. Cancels nothing if the link of that request exists or may exist, or if a URL
 * is rejected.
 */
export async function shorten(context: WorkerContext, command: ShortenCommands): Promise<Reply<Accepted>> {
  const { store, changed, newId } = context;
  const { orders, insteadOf } = command;
  const prepared = await prepare(context, command);
  if ('code' in prepared) return { ok: false, code: prepared.code };
  const { connection, clean, refused, lookup, defaults } = prepared;
  const listId = command.listId ?? (orders.length > 1 ? newId() : null);
  const accept = { ...command, listId, expiry: defaults.expiry, saveTitles: defaults.saveTitles };
  const accepted = await store.updateAll<AcceptResult | RefusalCode>((all, now, knownLinks) => {
    const replaced = all.queues.flatMap(({ requests }) => requests).find(({ id }) => id === insteadOf);
    const mayExist = replaced && replaced.state !== 'waiting' && replaced.state !== 'failed';
    const isLate = mayExist || knownLinks.some(({ id }) => id === insteadOf);
    if (isLate) return { all, result: 'too_late' };
    const queues = insteadOf === undefined ? all.queues : all.queues.map((queue) => cancel(queue, [insteadOf]));
    const target = queues.find(isOf(connection.id));
    if (!target) return { all, result: 'no_connection' };
    const { queue, ...rest } = acceptRequests(target, clean, accept, knownLinks, now);
    if (insteadOf !== undefined && rest.result.refused.length > 0) return { all, result: rest.result };
    return { ...rest, all: { ...all, queues: queues.map((one) => (one === target ? queue : one)) } };
  }, lookup);
  if (typeof accepted === 'string') return { ok: false, code: accepted };
  const [refusal] = accepted.refused;
  if (refusal && orders.length === 1) return { ok: false, code: refusal.code };
  changed();
  return { ok: true, value: { ...accepted, refused: [...refused, ...accepted.refused] } };
}

/** Cancels link requests of any connection. Requests that are being sent cannot be canceled. */
export async function cancelRequests({ store, changed }: WorkerContext, ids: string[]): Promise<Reply> {
  const wanted = new Set(ids);
  const isLate = await store.updateAll((all) => {
    const queues = all.queues.map((queue) => cancel(queue, ids));
    const isLate = queues.some(({ requests }) => requests.some(({ id }) => wanted.has(id)));
    return { all: { ...all, queues }, result: isLate };
  });
  changed();
  return isLate ? { ok: false, code: 'too_late' } : { ok: true, value: null };
}

/** Changes the queues of all connections. An omitted queue is deleted together with its connection. */
export async function changeQueues(context: WorkerContext, rule: (queues: Queue[]) => Queue[]): Promise<Reply> {
  await context.store.updateAll((all) => ({ all: { ...all, queues: rule(all.queues) }, result: null }));
  context.changed();
  return { ok: true, value: null };
}

/** Changes the queue of one connection. */
export function changeQueue(context: WorkerContext, id: string, rule: (queue: Queue) => Queue): Promise<Reply> {
  return changeQueues(context, (queues) => queues.map((queue) => (queue.connection.id === id ? rule(queue) : queue)));
}

function isOf(connectionId: string): (queue: Queue) => boolean {
  return ({ connection }) => connection.id === connectionId;
}

export interface Prepared {
  connection: Connection;
  clean: CleanCommand[];
  refused: Accepted['refused'];
  /** Selects the stored links that the URLs may already have. */
  lookup: LinkLookup;
  defaults: Settings;
}

/**
 * Rejects URLs that cannot be shortened, applies the user's URL settings to the others if the user chose no options, and
 * chooses the connection. Returns the reason if the whole command is refused.
 */
export async function prepare(
  { store, waitForFirstSync }: WorkerContext,
  { connectionId, options, orders, anew, insteadOf, listId }: Omit<ShortenCommands, 'source'>,
): Promise<Prepared | { code: RefusalCode }> {
  const [queues, defaults] = await Promise.all([store.queues(), options ? null : readSettings()]);
  const isOwn = ownShortUrls(queues.map(({ connection }) => connection));
  const clean: CleanCommand[] = [];
  const refused: Accepted['refused'] = [];
  for (const order of orders) {
    const target = pageTarget(order.url, isOwn);
    if ('blocked' in target) {
      const code = target.blocked === 'own_short_link' ? 'own_short_link' : 'not_shortenable';
      refused.push({ orderId: order.id, code });
    } else clean.push({ ...order, ...target, url: defaults ? applyUrlDefaults(target.url, defaults) : target.url });
  }
  const [first] = refused;
  if (first && clean.length === 0) return { code: first.code };
  const connection = (connectionId === null ? queues[0] : queues.find(isOf(connectionId)))?.connection;
  if (!connection) return { code: 'no_connection' };
  if (options && hasOptions(options) && !takesOptions(connection, options)) return { code: 'options_not_supported' };
  if (!anew && isListMissing(connection)) await waitForFirstSync(connection.id);
  const ids = [...clean.map(({ id }) => id), ...(insteadOf === undefined ? [] : [insteadOf])];
  const lookup = { urls: clean.flatMap(({ url }) => [url, ...shortUrlForms(url)]), ids, listId };
  return { connection, clean, refused, lookup, defaults: defaults ?? DEFAULT_SETTINGS };
}

/** Returns the reply code for an unexpected error. */
export function failureCode(error: unknown): RefusalCode {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'TimeoutError') return 'in_use';
  return name === 'QuotaExceededError' ? 'storage_full' : 'internal';
}
