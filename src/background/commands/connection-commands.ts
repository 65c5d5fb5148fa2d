import { isApiKey, parseServiceAddress } from '@terse/contract/connection-link';
import type { ConnectionReport, Message, RefusalCode, Reply, ServiceAnswer } from '../../messages/protocol.ts';
import {
  adoptRequests,
  connectionSaved,
  moveRequests,
  newQueue,
  reconnected,
  removeConnection,
} from '../../queue/add-replace-delete-connection.ts';
import { unblock } from '../../queue/block-reasons.ts';
import { endGuessedPause, requeueFailed } from '../../queue/cancel-retry-pause.ts';
import { applyProbe } from '../../queue/results/apply-probe.ts';
import { generateMissingCodes, type RandomBytes } from '../../queue/short-code-generator.ts';
import type { Connection, Queue } from '../../queue/types.ts';
import type { Fetch } from '../../services/terse/create-links.ts';
import { type Probe, probeResult, probeService } from '../../services/terse/probe.ts';
import type { Everything, Store } from '../../storage/store.ts';
import { type Call, callService } from './service-link-commands.ts';

/** The last four of a shorter key would be too much of it. */
const SHORTEST_SHOWN = 10;

/** The longest name of a connection, in UTF-16 units. */
const NAME_LIMIT = 100;

export interface ConnectionDependencies {
  store: Store;
  fetch: Fetch;
  newId: () => string;
  randomBytes: RandomBytes;
  /** A number in [0, 1). */
  random: () => number;
  permitted: (baseUrl: string) => Promise<boolean>;
  /** See `connection-close.ts`. */
  closeConnections: (baseUrl: string) => Promise<void>;
  recovered: () => Promise<unknown>;
  changed: () => void;
}

type Save = Omit<Message & { type: 'save-connection' }, 'type'>;
type Forget = Omit<Message & { type: 'forget-connection' }, 'type'>;

/** Testing, keeping and forgetting connections. An API key goes in here and comes out for nobody. */
export class Connections {
  readonly #dependencies: ConnectionDependencies;

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Probes a service; stores nothing and spends nothing. */
  async test(connectionId: string | null, address: string, typedKey: string | null): Promise<Reply<ConnectionReport>> {
    const { permitted } = this.#dependencies;
    const given = await this.#given(connectionId, address, typedKey);
    if ('code' in given) return { ok: false, code: given.code };
    if (!(await permitted(given.baseUrl))) {
      return { ok: true, value: { reached: false, connectionId: null, problem: 'permission' } };
    }
    const probe = await this.#probe(given);
    if (connectionId !== null) await this.#tested(connectionId, given, probe);
    return { ok: true, value: reportOf(probe, null) };
  }

  /** Asks the service of a connection about its links: see `call-service.ts`. */
  call(asked: Call): Promise<ServiceAnswer> {
    return callService(this.#dependencies, asked);
  }

  /** Stores a connection. A service that is out of reach is stored too; a key that it refuses is not. */
  async save({ connectionId, name, baseUrl: address, apiKey: typedKey }: Save): Promise<Reply<ConnectionReport>> {
    const { store, permitted, recovered, changed } = this.#dependencies;
    const given = await this.#given(connectionId, address, typedKey);
    if ('code' in given) return { ok: false, code: given.code };
    const { baseUrl, apiKey } = given;
    const { erasures } = store;
    if (!(await permitted(baseUrl))) return { ok: false, code: 'no_permission' };
    const probe = await this.#probe(given);
    if (probe.reached && probe.key === 'refused') return { ok: false, code: 'key_refused' };
    if (probe.reached && probe.key === 'forbidden') return { ok: false, code: 'key_forbidden' };
    await recovered();
    const saved = await store.transactAll(
      (all, time): { all: Everything; value: { id: string } | { code: RefusalCode } } => {
        // A connection to the same service by the same key: added twice, it stays one.
        const twin = all.queues.find(
          ({ connection }) => connection.baseUrl === baseUrl && all.apiKeys.get(connection.id) === apiKey,
        );
        const named = all.queues.find(({ connection }) => connection.id === connectionId);
        const before = named ?? twin;
        // Two queues for one key would each have its whole budget, also if they name the service differently.
        const isTaken = all.queues.some((one) => one !== before && all.apiKeys.get(one.connection.id) === apiKey);
        if (isTaken) return { all, value: { code: 'already_connected' } };
        // The stored key was read before the probe: another tab may have stored another since, or deleted everything.
        const isStale = !typedKey?.trim() && (!named || all.apiKeys.get(named.connection.id) !== apiKey);
        if (isStale || store.erasures > erasures) return { all, value: { code: 'changed_meanwhile' } };
        const kept = before?.connection ?? this.#newConnection(all);
        const connection = { ...kept, name: name.trim().slice(0, NAME_LIMIT), baseUrl, lastFour: lastFourOf(apiKey) };
        const mine = this.#saved(before, connection, before === twin);
        const adopted = requeueFailed(adoptRequests(mine, all.unassigned), this.#dependencies.newId);
        const probed = applyProbe(adopted, probeResult(probe), time, this.#dependencies.random());
        const queue = generateMissingCodes(probed, this.#dependencies.randomBytes);
        const queues = before ? all.queues.map((one) => (one === before ? queue : one)) : [...all.queues, queue];
        const apiKeys = new Map(all.apiKeys).set(connection.id, apiKey);
        return { all: { queues, apiKeys, unassigned: [] }, value: { id: connection.id } };
      },
    );
    if ('code' in saved) return { ok: false, code: saved.code };
    changed();
    return { ok: true, value: reportOf(probe, saved.id) };
  }

  /** What is asked for without naming a connection goes to this one from now on. */
  async setDefault(connectionId: string): Promise<Reply> {
    await this.#dependencies.store.transactAll((all) => {
      const preferredAt = Math.max(0, ...all.queues.map(({ connection }) => connection.preferredAt)) + 1;
      const queues = all.queues.map((queue) =>
        queue.connection.id === connectionId ? { ...queue, connection: { ...queue.connection, preferredAt } } : queue,
      );
      return { all: { ...all, queues }, value: null };
    });
    return { ok: true, value: null };
  }

  /** Forgets a connection, its key and its queue. What had not ended goes where the person says. */
  async forget({ connectionId, waiting }: Forget): Promise<Reply> {
    const { store, recovered, changed, randomBytes } = this.#dependencies;
    await recovered();
    await store.transactAll((all) => {
      const forgotten = all.queues.find(({ connection }) => connection.id === connectionId);
      const rest = all.queues.filter((queue) => queue !== forgotten);
      const requests = forgotten ? removeConnection(forgotten) : [];
      const apiKeys = new Map(all.apiKeys);
      apiKeys.delete(connectionId);
      const target =
        typeof waiting === 'object' ? rest.find(({ connection }) => connection.id === waiting.moveTo) : null;
      const queues = rest.map((queue) =>
        queue === target ? generateMissingCodes(adoptRequests(queue, requests), randomBytes) : queue,
      );
      // A connection to move to that is gone by now is no reason to lose what waits.
      const kept = waiting !== 'drop' && !target ? moveRequests(requests, null) : [];
      return { all: { queues, apiKeys, unassigned: [...all.unassigned, ...kept] }, value: null };
    });
    changed();
    return { ok: true, value: null };
  }

  /** A test that succeeds with the stored address and key unblocks the queue. */
  async #tested(connectionId: string, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }, probe: Probe) {
    if (!probe.reached || typeof probe.key === 'string') return;
    const { store, recovered, changed } = this.#dependencies;
    await recovered();
    await store.transactWithKey(connectionId, (queue, _time, storedKey) => {
      const isSame = storedKey === apiKey && queue.connection.baseUrl === baseUrl;
      if (!isSame) return { queue, value: null };
      const state = unblock(queue.state, 'connection_tested');
      return { queue: endGuessedPause(state === queue.state ? queue : { ...queue, state }), value: null };
    });
    changed();
  }

  async #probe({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<Probe> {
    const queues = await this.#dependencies.store.queues();
    const stored = queues.find(({ connection }) => connection.baseUrl === baseUrl);
    return probeService(this.#dependencies.fetch, baseUrl, apiKey, stored?.connection.service);
  }

  /** @param same whether the connection had this address and key before */
  #saved(before: Queue | undefined, connection: Connection, same: boolean): Queue {
    const { newId } = this.#dependencies;
    if (!before) return newQueue(connection);
    return same ? connectionSaved(before, connection, newId) : reconnected(before, connection, newId);
  }

  #newConnection(all: Everything): Omit<Connection, 'name' | 'baseUrl' | 'lastFour'> {
    return {
      id: this.#dependencies.newId(),
      service: null,
      serviceReadAt: null,
      lastSeenWellAt: null,
      // The first connection is the default one, and stays it until the person says otherwise.
      preferredAt: Math.min(1, ...all.queues.map(({ connection }) => connection.preferredAt - 1)),
    };
  }

  /** The stored key is for the address it was stored with: typed with another, it would be handed to a stranger. */
  async #given(connectionId: string | null, address: string, typedKey: string | null) {
    const parsed = parseServiceAddress(address);
    if ('problem' in parsed) return { code: 'invalid_address' as const };
    const typed = typedKey?.trim();
    const stored = typed || connectionId === null ? null : await this.#dependencies.store.readWithKey(connectionId);
    const apiKey = typed || (stored?.connection.baseUrl === parsed.baseUrl && stored.apiKey);
    if (!apiKey || !isApiKey(apiKey)) return { code: 'invalid_key' as const };
    return { baseUrl: parsed.baseUrl, apiKey };
  }
}

/** Enough to tell one's keys apart by, and too little to guess the rest from. */
function lastFourOf(apiKey: string): string {
  return apiKey.length < SHORTEST_SHOWN ? '' : apiKey.slice(-4);
}

function reportOf(probe: Probe, connectionId: string | null): ConnectionReport {
  if (!probe.reached) return { ...probe, connectionId };
  const { document, key } = probe;
  const common = { reached: true as const, connectionId, service: document };
  if (key === null) return { ...common, key: { state: 'untested' } };
  if (typeof key === 'string') return { ...common, key: { state: key } };
  const perSecond = key.throttle.limit / Math.max(1, key.throttle.windowSeconds);
  return { ...common, key: { state: 'accepted', name: key.name, quota: key.quota, perSecond } };
}
