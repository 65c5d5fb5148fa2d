import { isApiKey, parseServiceAddress } from '@terse/contract/connection-link';
import type { ConnectionReport, Message, RefusalCode, Reply, ServerSettings } from '../../messages/protocol.ts';
import { isSameHost } from '../../queue/accept.ts';
import { applyProbe } from '../../queue/probe.ts';
import type { Connection, Queue } from '../../queue/types.ts';
import { connectionSaved, newQueue, reconnected, withoutService } from '../../queue/user-actions.ts';
import type { Probe, ServiceKind } from '../../servers/adapter.ts';
import { probeResult } from '../../servers/call-server.ts';
import { kindOf } from '../../servers/capabilities.ts';
import type { Fetch } from '../../servers/http.ts';
import type { AllQueues } from '../../storage/database.ts';
import type { Store } from '../../storage/store.ts';
import { findAndProbe } from '../probe-connection.ts';

/**
 * Minimum length of an API key whose last four characters may be shown to the user. With a shorter key, four
 * characters would reveal too much.
 */
const MIN_SHOWN_LENGTH = 10;

/** Maximum length of a connection's name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 100;

export interface ConnectionDependencies {
  store: Store;
  fetch: Fetch;
  newId: () => string;
  random: () => number;
  permitted: (baseUrl: string) => Promise<boolean>;
  changed: () => void;
  /** Called after a connection was saved. */
  connected: (connectionId: string) => void;
}

type Save = Omit<Message & { type: 'save-connection' }, 'type'>;

/** Server of a draft, as found by a probe. */
interface Found {
  baseUrl: string;
  apiKey: string;
  probe: Probe;
  /** Undefined if no third-party server was detected. */
  kind: ServiceKind | undefined;
}

/** Saves and deletes connections to link services. Pages never receive a stored API key. */
export class Connections {
  readonly #dependencies: ConnectionDependencies;

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Tests and saves a connection, even if the service is unreachable. Does not save an API key that the service
   * rejected.
   */
  async save(draft: Save): Promise<Reply<ConnectionReport>> {
    const { store, changed, connected } = this.#dependencies;
    const { erasures } = store;
    const found = await this.#find(draft);
    if ('code' in found) return { ok: false, code: found.code };
    const saved = await store.updateAll<{ id: string } | { code: RefusalCode }>((all, now) => {
      const code = store.erasures > erasures ? 'changed_meanwhile' : refusalOf(all, draft, found);
      return code ? { all, result: { code } } : this.#apply(all, draft, found, now);
    });
    if ('code' in saved) return { ok: false, code: saved.code };
    changed();
    connected(saved.id);
    return { ok: true, value: reportOf(found.probe, saved.id) };
  }

  /** Makes a connection the default for commands that specify no connection. */
  async setDefault(connectionId: string): Promise<Reply> {
    await this.#dependencies.store.updateAll((all) => {
      const preferredAt = Math.max(0, ...all.queues.map(({ connection }) => connection.preferredAt)) + 1;
      const queues = all.queues.map((queue) =>
        queue.connection.id === connectionId ? { ...queue, connection: { ...queue.connection, preferredAt } } : queue,
      );
      return { all: { ...all, queues }, result: null };
    });
    return { ok: true, value: null };
  }

  /** Deletes a connection with its API key, and cancels all its unfinished requests. */
  async forget(connectionId: string): Promise<Reply> {
    const { store, changed } = this.#dependencies;
    await store.updateAll((all) => {
      const queues = all.queues.filter(({ connection }) => connection.id !== connectionId);
      return { all: { ...all, queues }, result: null };
    });
    changed();
    return { ok: true, value: null };
  }

  /**
   * Validates a draft and probes its server. A stored API key is used only with its stored address, so that the key is
   * never sent to another server. Detects the kind of server, unless the user chose it or an earlier probe detected it.
   */
  async #find({
    connectionId,
    baseUrl: address,
    apiKey: typedKey,
    kind,
  }: Save): Promise<Found | { code: RefusalCode }> {
    const { store, fetch, permitted } = this.#dependencies;
    const parsed = parseServiceAddress(address);
    if ('problem' in parsed) return { code: 'invalid_address' };
    const { baseUrl } = parsed;
    const typed = typedKey?.trim();
    const named = typed || connectionId === null ? null : await store.readWithKey(connectionId);
    const apiKey = typed || (named?.connection.baseUrl === baseUrl && named.apiKey);
    if (!apiKey || !isApiKey(apiKey)) return { code: 'invalid_key' };
    if (!(await permitted(baseUrl))) return { code: 'no_permission' };
    const queues = await store.queues();
    const stored = queues.find(({ connection }) => connection.baseUrl === baseUrl)?.connection;
    const isKnown = stored && (kind ? kind === stored.kind : !isChoiceDropped(stored, kind));
    const target = isKnown ? stored : { baseUrl, service: null, lastSeenWellAt: null };
    const found = await findAndProbe(fetch, { ...target, ...(kind && { kind }) }, apiKey, Date.now());
    return found ? { baseUrl, apiKey, ...found } : { code: 'unprotected' };
  }

  /** Adds the connection of a draft, or updates the one that it names or that has the same address and API key. */
  #apply(all: AllQueues, draft: Save, found: Found, now: number): { all: AllQueues; result: { id: string } } {
    const { newId, random } = this.#dependencies;
    const { baseUrl, apiKey, probe, kind } = found;
    const before = namedBy(all, draft) ?? twinOf(all, found);
    const kept = before?.connection ?? newConnection(newId(), all);
    const connection: Connection = {
      ...withSettings(kept, draft, kind),
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
}

/** Returns the reason why a draft must not be saved. */
function refusalOf(all: AllQueues, draft: Save, found: Found): RefusalCode | null {
  const { apiKey, baseUrl, probe } = found;
  if (probe.reached && probe.key === 'refused') return 'key_refused';
  if (probe.reached && probe.key === 'forbidden') return 'key_forbidden';
  const named = namedBy(all, draft);
  const before = named ?? twinOf(all, found);
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
  const isStale = !draft.apiKey?.trim() && (!named || all.apiKeys.get(named.connection.id) !== apiKey);
  return isStale ? 'changed_meanwhile' : null;
}

function namedBy({ queues }: AllQueues, { connectionId }: Save): Queue | undefined {
  return queues.find(({ connection }) => connection.id === connectionId);
}

/** Returns the queue of the connection that has this address and API key. */
function twinOf(all: AllQueues, found: Found): Queue | undefined {
  return all.queues.find((queue) => isLogin(all, queue, found));
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

/** True if the user had chosen the kind of server and now wants the extension to detect it. */
function isChoiceDropped({ isKindChosen }: Connection, kind: ServiceKind | null | undefined): boolean {
  return isKindChosen === true && kind === null;
}

/** Returns a copy of the connection with the user's new settings and with the kind of server that the probe found. */
function withSettings(
  connection: Connection,
  { kind: chosen, domain, limits }: ServerSettings,
  found: ServiceKind | undefined,
): Connection {
  const { kind: _, isKindChosen, domain: oldDomain, limits: oldLimits, ...rest } = connection;
  const newDomain = domain === undefined ? oldDomain : domain;
  const newLimits = limits === undefined ? oldLimits : limits;
  return {
    ...rest,
    ...(found && { kind: found }),
    ...(found && (chosen || (chosen === undefined && isKindChosen)) && { isKindChosen: true }),
    ...(newDomain && { domain: newDomain }),
    ...(newLimits && { limits: newLimits }),
  };
}

function reportOf(probe: Probe, connectionId: string): ConnectionReport {
  return probe.reached ? { reached: true, connectionId, service: probe.service } : { ...probe, connectionId };
}
