import { isApiKey, isLoopback, parseServiceAddress } from '@terse/contract/connection-link';
import type {
  ConnectionReport,
  DeleteLinksMessage,
  Message,
  RefusalCode,
  Reply,
  ServerSettings,
  ServiceLinkMessage,
} from '../../messages/protocol.ts';
import { isSameHost } from '../../queue/accept-requests.ts';
import { connectionSaved, newQueue, reconnected, withoutService } from '../../queue/add-replace-delete-connection.ts';
import { unblock } from '../../queue/block-reasons.ts';
import { endGuessedDelay } from '../../queue/cancel-retry-pause.ts';
import { applyProbe } from '../../queue/results/apply-probe.ts';
import { generateMissingCodes, type RandomBytes } from '../../queue/short-code-generator.ts';
import type { Connection, Queue } from '../../queue/types.ts';
import { probeResult, serviceInfoOf } from '../../servers/call-server.ts';
import { kindOf } from '../../servers/connection-capabilities.ts';
import type { Fetch } from '../../servers/http.ts';
import type { Probe, ServiceKind } from '../../servers/service-adapter.ts';
import type { AllQueues } from '../../storage/queue-records.ts';
import type { Store } from '../../storage/store.ts';
import { findAndProbe } from '../probe-connection.ts';
import { askServerAboutLink, deleteLinks } from './server-links.ts';

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
  randomBytes: RandomBytes;
  random: () => number;
  permitted: (baseUrl: string) => Promise<boolean>;
  changed: () => void;
  /** Called after a connection was saved. */
  connected: (connectionId: string) => void;
}

type Save = Omit<Message & { type: 'save-connection' }, 'type'>;

/** Tests, saves and deletes connections to link services. Pages never receive a stored API key. */
export class Connections {
  readonly #dependencies: ConnectionDependencies;

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Tests the connection to a service without saving the connection or using quota. */
  async test(
    connectionId: string | null,
    address: string,
    typedKey: string | null,
    settings: ServerSettings = {},
  ): Promise<Reply<ConnectionReport>> {
    const { permitted } = this.#dependencies;
    const login = await this.#validate(connectionId, address, typedKey);
    if ('code' in login) return { ok: false, code: login.code };
    if (!(await permitted(login.baseUrl))) {
      return { ok: true, value: { reached: false, connectionId: null, problem: 'permission' } };
    }
    const found = await this.#probe(login, settings);
    if (!found) return { ok: false, code: 'unprotected' };
    const { probe, kind } = found;
    if (connectionId !== null) await this.#tested(connectionId, login, probe);
    return { ok: true, value: reportOf(probe, kind, null) };
  }

  askAboutLinks(message: ServiceLinkMessage): ReturnType<typeof askServerAboutLink> {
    return askServerAboutLink(this.#dependencies, message);
  }

  deleteLinks(message: DeleteLinksMessage): ReturnType<typeof deleteLinks> {
    return deleteLinks(this.#dependencies, message);
  }

  /** Saves a connection, even if the service is unreachable. Does not save an API key that the service rejected. */
  async save(message: Save): Promise<Reply<ConnectionReport>> {
    const { connectionId, name, baseUrl: address, apiKey: typedKey } = message;
    const { store, permitted, changed, connected } = this.#dependencies;
    const login = await this.#validate(connectionId, address, typedKey);
    if ('code' in login) return { ok: false, code: login.code };
    const { baseUrl, apiKey } = login;
    const { erasures } = store;
    if (!(await permitted(baseUrl))) return { ok: false, code: 'no_permission' };
    const found = await this.#probe(login, message);
    if (!found) return { ok: false, code: 'unprotected' };
    const { probe, kind } = found;
    if (probe.reached && probe.key === 'refused') return { ok: false, code: 'key_refused' };
    if (probe.reached && probe.key === 'forbidden') return { ok: false, code: 'key_forbidden' };
    const saved = await store.updateAll(
      (all, now): { all: AllQueues; result: { id: string } | { code: RefusalCode } } => {
        // If a connection with this address and API key already exists, updates it instead of adding a second one.
        const twin = all.queues.find(
          ({ connection }) => connection.baseUrl === baseUrl && all.apiKeys.get(connection.id) === apiKey,
        );
        const named = all.queues.find(({ connection }) => connection.id === connectionId);
        const isUnchanged = named?.connection.baseUrl === baseUrl && all.apiKeys.get(named.connection.id) === apiKey;
        const before = named ?? twin;
        const isSame = isUnchanged || (twin !== undefined && before === twin);
        // Refuses a second connection to the same service with the same API key. Otherwise, each connection would use
        // the key's full daily quota. A service can have several addresses, so the base addresses of its short URLs
        // are compared too.
        const shortBaseUrl = serviceInfoOf(probe)?.shortBaseUrl;
        const isTaken = all.queues.some(
          ({ connection }) =>
            connection !== before?.connection &&
            all.apiKeys.get(connection.id) === apiKey &&
            isSameService(connection, baseUrl, shortBaseUrl),
        );
        if (isTaken && !isSame) return { all, result: { code: 'already_connected' } };
        // The stored API key was read before the network request. In the meantime, another page may have changed the
        // key or deleted all data.
        const isStale = !typedKey?.trim() && (!named || all.apiKeys.get(named.connection.id) !== apiKey);
        if (isStale || store.erasures > erasures) return { all, result: { code: 'changed_meanwhile' } };
        const kept = before?.connection ?? this.#newConnection(all);
        const connection = {
          ...withSettings(kept, message, kind),
          name: name.trim().slice(0, MAX_NAME_LENGTH),
          baseUrl,
          lastFour: lastFourOf(apiKey),
        };
        const isSameKind = kindOf(kept) === kindOf(connection);
        const mine = this.#saved(before, isSameKind ? connection : withoutService(connection), isSame && isSameKind);
        const probed = applyProbe(mine, probeResult(probe), now, this.#dependencies.random());
        const queue = generateMissingCodes(probed, this.#dependencies.randomBytes);
        const queues = before ? all.queues.map((one) => (one === before ? queue : one)) : [...all.queues, queue];
        const apiKeys = new Map(all.apiKeys).set(connection.id, apiKey);
        return { all: { queues, apiKeys }, result: { id: connection.id } };
      },
    );
    if ('code' in saved) return { ok: false, code: saved.code };
    changed();
    connected(saved.id);
    return { ok: true, value: reportOf(probe, kind, saved.id) };
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

  /** Unblocks a connection's queue after a successful test with the stored address and API key. */
  async #tested(connectionId: string, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }, probe: Probe) {
    if (!probe.reached || typeof probe.key === 'string') return;
    const { store, changed } = this.#dependencies;
    await store.update(connectionId, (queue, { apiKey: storedKey }) => {
      const isSame = storedKey === apiKey && queue.connection.baseUrl === baseUrl;
      if (!isSame) return { queue, result: null };
      return { queue: endGuessedDelay({ ...queue, state: unblock(queue.state, 'connection_tested') }), result: null };
    });
    changed();
  }

  /** Probes a server. Detects the kind of server, unless the user chose the kind or an earlier probe detected it. */
  async #probe({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }, { kind }: ServerSettings) {
    const queues = await this.#dependencies.store.queues();
    const stored = queues.find(({ connection }) => connection.baseUrl === baseUrl)?.connection;
    const nothing = { baseUrl, service: null, lastSeenWellAt: null };
    const isKnown = stored && (kind ? kind === stored.kind : !isChoiceDropped(stored, kind));
    const target = { ...(isKnown ? stored : nothing), ...(kind && { kind }) };
    return findAndProbe(this.#dependencies.fetch, target, apiKey, Date.now());
  }

  /**
   * Returns the queue for a connection that was just saved.
   *
   * @param isSame true if the address, the API key and the kind of server are unchanged
   */
  #saved(before: Queue | undefined, connection: Connection, isSame: boolean): Queue {
    const { newId } = this.#dependencies;
    if (!before) return newQueue(connection);
    return isSame ? connectionSaved(before, connection, newId) : reconnected(before, connection, newId);
  }

  #newConnection(all: AllQueues): Omit<Connection, 'name' | 'baseUrl' | 'lastFour'> {
    return {
      id: this.#dependencies.newId(),
      service: null,
      serviceReadAt: null,
      lastSeenWellAt: null,
      // The connection with the highest value is the default. A new connection gets the lowest value, so the default
      // does not change.
      preferredAt: Math.min(1, ...all.queues.map(({ connection }) => connection.preferredAt - 1)),
    };
  }

  /**
   * Validates a service address and an API key. A stored API key is used only with its stored address, so that the
   * key is never sent to another server.
   */
  async #validate(connectionId: string | null, address: string, typedKey: string | null) {
    const parsed = parseServiceAddress(address);
    if ('problem' in parsed) return { code: 'invalid_address' as const };
    const typed = typedKey?.trim();
    const stored = typed || connectionId === null ? null : await this.#dependencies.store.readWithKey(connectionId);
    const apiKey = typed || (stored?.connection.baseUrl === parsed.baseUrl && stored.apiKey);
    if (!apiKey || !isApiKey(apiKey)) return { code: 'invalid_key' as const };
    return { baseUrl: parsed.baseUrl, apiKey };
  }
}

function lastFourOf(apiKey: string): string {
  return apiKey.length < MIN_SHOWN_LENGTH ? '' : apiKey.slice(-4);
}

/**
 * True if both addresses lead to the same service: they have the same origin, both are loopback addresses with the
 * same port, or both servers use the same base address for short URLs.
 */
function isSameService({ baseUrl, service }: Connection, other: string, shortBaseUrl: string | undefined): boolean {
  const [one, two] = [new URL(baseUrl), new URL(other)];
  const isSameComputer = isLoopback(two.hostname) && isSameHost(one, two);
  return (
    one.origin === two.origin || isSameComputer || (!!service?.shortBaseUrl && service.shortBaseUrl === shortBaseUrl)
  );
}

/** True if the user had chosen the kind of server and now wants the extension to detect it. */
function isChoiceDropped({ isKindChosen }: Connection, kind: ServiceKind | null | undefined): boolean {
  return isKindChosen === true && kind === null;
}

/** Returns a copy of the connection with the user's new settings and with the kind of server that the probe found. */
function withSettings<T extends Omit<Connection, 'name' | 'baseUrl' | 'lastFour'>>(
  connection: T,
  { kind: chosen, domain, limits }: ServerSettings,
  found: ServiceKind | undefined,
): T {
  const { kind: _, isKindChosen, domain: oldDomain, limits: oldLimits, ...rest } = connection;
  const newDomain = domain === undefined ? oldDomain : domain;
  const newLimits = limits === undefined ? oldLimits : limits;
  return {
    ...rest,
    ...(found && { kind: found }),
    ...(found && (chosen || (chosen === undefined && isKindChosen)) && { isKindChosen: true }),
    ...(newDomain && { domain: newDomain }),
    ...(newLimits && { limits: newLimits }),
  } as T;
}

function reportOf(probe: Probe, found: ServiceKind | undefined, connectionId: string | null): ConnectionReport {
  if (!probe.reached) return { ...probe, connectionId };
  const { document, key } = probe;
  const kind = kindOf({ ...(found && { kind: found }), service: serviceInfoOf(probe) });
  const common = { reached: true as const, connectionId, kind, service: document };
  if (key === null) return { ...common, key: { state: 'untested' } };
  if (typeof key === 'string') return { ...common, key: { state: key } };
  const perSecond = key.throttle && key.throttle.limit / Math.max(1, key.throttle.windowSeconds);
  return { ...common, key: { state: 'accepted', name: key.name, quota: key.quota, perSecond } };
}
