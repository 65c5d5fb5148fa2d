import { isApiKey, parseServiceAddress } from '@terse/contract/connection-link';
import { newEntries } from '../../import-export/new-entries.ts';
import type { Added, ConnectionReport, Imported, Message, RefusalCode, Reply } from '../../messages/protocol.ts';
import { isSameHost } from '../../queue/accept.ts';
import { applyProbe } from '../../queue/probe.ts';
import type { Connection, Queue } from '../../queue/types.ts';
import { connectionSaved, newQueue, reconnected, withoutService } from '../../queue/user-actions.ts';
import { probeResult } from '../../servers/call-server.ts';
import { kindOf } from '../../servers/capabilities.ts';
import type { AllQueues } from '../../storage/database.ts';
import type { Store } from '../../storage/store.ts';
import { type FoundServer, findAndProbe } from '../probe-connection.ts';
import type { WorkerContext } from '../worker-context.ts';
import { changeQueues } from './shorten-command.ts';

/**
 * Minimum length of an API key whose last four characters may be shown to the user. With a shorter key, four
 * characters would reveal too much.
 */
const MIN_SHOWN_LENGTH = 10;

/** Maximum length of a connection's name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 100;

type Save = Omit<Message & { type: 'save-connection' }, 'type'>;

/** Server of a draft, as found by a probe. */
interface Found extends FoundServer {
  baseUrl: string;
  apiKey: string;
}

/* Saves and deletes connections to link services. Pages never receive a stored API key. */

/**
 * Tests and saves a connection, even if the service is unreachable. Does not save an API key that the service
 * rejected.
 */
export async function saveConnection(context: WorkerContext, draft: Save): Promise<Reply<ConnectionReport>> {
  const { store, changed, connected } = context;
  const { erasures } = store;
  const found = await findServer(context, draft);
  if ('code' in found) return { ok: false, code: found.code };
  const saved = await store.updateAll<{ id: string } | { code: RefusalCode }>((all, now) => {
    const before = namedBy(all, draft) ?? all.queues.find((queue) => isLogin(all, queue, found));
    const code = store.erasures > erasures ? 'changed_meanwhile' : refusalOf(all, draft, found, before);
    return code ? { all, result: { code } } : applyDraft(context, all, draft, found, before, now);
  });
  if ('code' in saved) return { ok: false, code: saved.code };
  changed();
  connected(saved.id);
  const { probe } = found;
  const report = probe.reached ? { reached: probe.reached, service: probe.service } : probe;
  return { ok: true, value: { connectionId: saved.id, ...report } };
}

/** Makes a connection the default for commands that specify no connection. */
export function setDefaultConnection(context: WorkerContext, connectionId: string): Promise<Reply> {
  return changeQueues(context, (queues) => {
    const preferredAt = Math.max(0, ...queues.map(({ connection }) => connection.preferredAt)) + 1;
    return queues.map((queue) =>
      queue.connection.id === connectionId ? { ...queue, connection: { ...queue.connection, preferredAt } } : queue,
    );
  });
}

/** Deletes a connection with its API key, and cancels all its unfinished requests. */
export function forgetConnection(context: WorkerContext, connectionId: string): Promise<Reply> {
  return changeQueues(context, (queues) => queues.filter(({ connection }) => connection.id !== connectionId));
}

/**
 * Validates a draft and probes its server. A stored API key is used only with its stored address, so that the key is
 * never sent to another server. Detects the kind of server, unless the user chose it or an earlier probe detected it.
 */
async function findServer(
  { store, fetch, permitted }: WorkerContext,
  { connectionId, kind, ...draft }: Save,
): Promise<Found | { code: RefusalCode }> {
  const parsed = parseServiceAddress(draft.baseUrl);
  if ('problem' in parsed) return { code: 'invalid_address' };
  const { baseUrl } = parsed;
  const typed = draft.apiKey?.trim();
  const named = typed || connectionId === null ? null : await store.readWithKey(connectionId);
  const apiKey = typed || (named?.connection.baseUrl === baseUrl && named.apiKey);
  if (!apiKey || !isApiKey(apiKey)) return { code: 'invalid_key' };
  if (!(await permitted(baseUrl))) return { code: 'no_permission' };
  const queues = await store.queues();
  const stored = queues.find(({ connection }) => connection.baseUrl === baseUrl)?.connection;
  // If the user no longer chooses the kind, it is detected again.
  const isKnown = stored && (kind ? kind === stored.kind : !stored.isKindChosen);
  const target = isKnown ? stored : { baseUrl, service: null, lastSeenWellAt: null };
  const found = await findAndProbe(fetch, { ...target, ...(kind && { kind }) }, apiKey, Date.now());
  return found ? { baseUrl, apiKey, ...found } : { code: 'unprotected' };
}

/**
 * Adds the connection of a draft, or updates an existing one.
 *
 * @param before queue of the connection that the draft names or that has the same address and API key
 */
function applyDraft(
  { newId, random }: WorkerContext,
  all: AllQueues,
  draft: Save,
  found: Found,
  before: Queue | undefined,
  now: number,
) {
  const { baseUrl, apiKey, probe, kind } = found;
  const kept = before?.connection ?? newConnection(newId(), all);
  const { kind: _, isKindChosen: __, domain: ___, limits: ____, ...rest } = kept;
  const connection: Connection = {
    ...rest,
    ...(kind && { kind, ...(draft.kind && { isKindChosen: true }) }),
    ...(draft.domain && { domain: draft.domain }),
    ...(draft.limits && { limits: draft.limits }),
    name: draft.name.trim().slice(0, MAX_NAME_LENGTH),
    baseUrl,
    lastFour: apiKey.length < MIN_SHOWN_LENGTH ? '' : apiKey.slice(-4),
  };
  const isSameKind = kindOf(kept) === kindOf(connection);
  const known = isSameKind ? connection : withoutService(connection);
  const replace = isSameKind && isLogin(all, before, found) ? connectionSaved : reconnected;
  const saved = before ? replace(before, known) : newQueue(known);
  const queue = applyProbe(saved, probeResult(probe), now, random());
  const queues = before ? all.queues.map((one) => (one === before ? queue : one)) : [...all.queues, queue];
  return { all: { queues, apiKeys: new Map(all.apiKeys).set(connection.id, apiKey) }, result: { id: connection.id } };
}

/** Returns the reason why a draft must not be saved. */
function refusalOf(all: AllQueues, draft: Save, found: Found, before: Queue | undefined): RefusalCode | null {
  const { apiKey, baseUrl, probe } = found;
  if (probe.reached && probe.key === 'refused') return 'key_refused';
  if (probe.reached && probe.key === 'forbidden') return 'key_forbidden';
  // Refuses a second connection to the same service with the same API key. Otherwise, each connection would use the
  // key's full daily quota.
  const isTaken = all.queues.some(
    (queue) =>
      queue !== before &&
      all.apiKeys.get(queue.connection.id) === apiKey &&
      isSameHost(new URL(baseUrl), new URL(queue.connection.baseUrl)),
  );
  if (isTaken && !isLogin(all, before, found)) return 'already_connected';
  // The stored API key was read before the network request. In the meantime, another page may have changed the key.
  const named = namedBy(all, draft);
  const isStale = !draft.apiKey?.trim() && (!named || all.apiKeys.get(named.connection.id) !== apiKey);
  return isStale ? 'changed_meanwhile' : null;
}

function namedBy({ queues }: AllQueues, { connectionId }: Save): Queue | undefined {
  return queues.find(({ connection }) => connection.id === connectionId);
}

/** True if the connection of a queue has this address and API key. */
function isLogin({ apiKeys }: AllQueues, queue: Queue | undefined, { baseUrl, apiKey }: Found): boolean {
  return queue?.connection.baseUrl === baseUrl && apiKeys.get(queue.connection.id) === apiKey;
}

function newConnection(id: string, { queues }: AllQueues): Connection {
  return {
    id,
    name: '',
    baseUrl: '',
    lastFour: '',
    service: null,
    serviceReadAt: null,
    lastSeenWellAt: null,
    // The connection with the highest value is the default. A new connection gets the lowest value, so the default
    // does not change.
    preferredAt: Math.min(1, ...queues.map(({ connection }) => connection.preferredAt - 1)),
  };
}

/**
 * Stores the entries of an imported file that do not exist yet. An imported connection is blocked until the user enters
 * its API key, and comes after the existing connections.
 */
export function importEntries(store: Store, file: Imported): Promise<Added> {
  const lookup = { ids: file.links.map(({ id }) => id), urls: file.links.map(({ shortUrl }) => shortUrl) };
  return store.updateAll((all, _now, knownLinks) => {
    const stored = all.queues.map(({ connection }) => connection);
    const { connections, links } = newEntries(file, { connections: stored, links: knownLinks });
    const lowest = Math.min(1, ...stored.map(({ preferredAt }) => preferredAt));
    const added = connections.map((connection, index) => {
      const queue = newQueue({ ...connection, preferredAt: lowest - 1 - index });
      return { ...queue, state: { ...queue.state, blocked: 'key_missing' as const } };
    });
    return {
      all: { ...all, queues: [...all.queues, ...added] },
      links,
      result: { connections: connections.length, links: links.length },
    };
  }, lookup);
}
