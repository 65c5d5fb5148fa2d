import type { Accepted, Message, RefusalCode, Reply } from '../../messages/protocol.ts';
import {
  type AcceptOptions,
  type AcceptResult,
  acceptRequests,
  type CleanCommand,
  hasOptions,
} from '../../queue/accept.ts';
import type { CodeGeneration } from '../../queue/codes.ts';
import type { Connection, Queue, Request } from '../../queue/types.ts';
import { cancel, retry, setPaused, tryNow } from '../../queue/user-actions.ts';
import { takesOptions } from '../../servers/capabilities.ts';
import { ownShortUrls, shortUrlForms } from '../../servers/own-short-urls.ts';
import type { LinkLookup } from '../../storage/links.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../../storage/settings.ts';
import type { AllQueuesChange, Store } from '../../storage/store.ts';
import { pageTarget } from '../../urls/shortenable-url-rules.ts';
import { applyUrlDefaults } from '../../urls/url-defaults.ts';

export interface CommandDependencies {
  store: Store;
  newId: () => string;
  generation: CodeGeneration;
  changed: () => void;
  /** Waits a moment for the first sync of a new connection. */
  waitForFirstSync: (connection: Connection) => Promise<void>;
}

type ShortenCommands = Omit<Message & { type: 'shorten' }, 'type'> & { source: Request['source'] };

/** Handles user commands about link requests and queues. Each command replies once its change is on disk. */
export class QueueCommands {
  readonly #dependencies: CommandDependencies;

  constructor(dependencies: CommandDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds the URLs of a command to one connection's queue, in one transaction. */
  async shorten(command: ShortenCommands): Promise<Reply<Accepted>> {
    const { store, changed, newId, waitForFirstSync } = this.#dependencies;
    const { orders } = command;
    const prepared = await prepare(store, command);
    if ('code' in prepared) return { ok: false, code: prepared.code };
    const { connection, clean, refused, lookup, defaults } = prepared;
    if (!command.anew) await waitForFirstSync(connection);
    const listId = command.listId ?? (orders.length > 1 ? newId() : null);
    const { expiry, saveTitles } = defaults;
    const accept = { ...command, listId, expiry, saveTitles };
    const accepted = await store.updateAll(this.#accept(connection.id, clean, accept), lookup);
    if (!accepted) return { ok: false, code: 'no_connection' };
    const [refusal] = accepted.refused;
    if (refusal && orders.length === 1) return { ok: false, code: refusal.code };
    changed();
    return { ok: true, value: { ...accepted, refused: [...refused, ...accepted.refused] } };
  }

  /** Cancels link requests of any connection. Requests that are being sent cannot be canceled. */
  async cancel(ids: string[]): Promise<Reply> {
    const { store, changed } = this.#dependencies;
    const isLate = await store.updateAll((all) => {
      const queues = all.queues.map((queue) => cancel(queue, ids));
      const isLate = queues.some(({ requests }) => requests.some(({ id }) => ids.includes(id)));
      return { all: { ...all, queues }, result: isLate };
    });
    changed();
    return isLate ? { ok: false, code: 'too_late' } : { ok: true, value: null };
  }

  retry(id: string): Promise<Reply> {
    const isQueueOf = ({ requests }: Queue) => requests.some((request) => request.id === id);
    return this.#change(isQueueOf, (queue) => retry(queue, id, this.#dependencies.generation));
  }

  setPaused(connectionId: string, isPaused: boolean): Promise<Reply> {
    return this.#change(isOf(connectionId), (queue) => setPaused(queue, isPaused));
  }

  tryNow(connectionId: string): Promise<Reply> {
    return this.#change(isOf(connectionId), tryNow);
  }

  async #change(isChanged: (queue: Queue) => boolean, rule: (queue: Queue) => Queue): Promise<Reply> {
    const { store, changed } = this.#dependencies;
    await store.updateAll((all) => {
      const queues = all.queues.map((queue) => (isChanged(queue) ? rule(queue) : queue));
      return { all: { ...all, queues }, result: null };
    });
    changed();
    return { ok: true, value: null };
  }

  /**
   * Adds URLs to one connection's queue and cancels the request that these URLs replace, even if that request is in
   * another queue. Changes nothing if that request is being sent, or if any URL is rejected.
   */
  #accept(
    connectionId: string,
    clean: CleanCommand[],
    accept: AcceptOptions & Pick<ShortenCommands, 'insteadOf'>,
  ): AllQueuesChange<AcceptResult | null> {
    const { insteadOf, ...rest } = accept;
    return (all, now, knownLinks) => {
      const target = all.queues.find(isOf(connectionId));
      if (!target) return { all, result: null };
      const replaced = insteadOf === undefined ? [] : [insteadOf];
      const isReplaced = ({ id, state }: Request) => replaced.includes(id) && state === 'sending';
      if (all.queues.some(({ requests }) => requests.some(isReplaced))) return { all, result: refuseLate(clean) };
      const accepted = acceptRequests(
        cancel(target, replaced),
        clean,
        rest,
        knownLinks,
        this.#dependencies.generation,
        now,
      );
      const { queue, ...outcome } = accepted;
      if (replaced.length > 0 && outcome.result.refused.length > 0) return { all, result: outcome.result };
      const queues = all.queues.map((one) => (one === target ? queue : cancel(one, replaced)));
      return { ...outcome, all: { ...all, queues } };
    };
  }
}

/** Refuses all commands, because the request that they should replace is already being sent. */
function refuseLate(commands: CleanCommand[]): AcceptResult {
  const refused = commands.map(({ id }) => ({ orderId: id, code: 'too_late' as const }));
  return { requestIds: [], existing: [], refused, userInfoRemoved: false };
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

/** Cleans up the URLs of a command and chooses its connection, or returns the reason why the command is refused. */
export async function prepare(
  store: Store,
  { connectionId, options, orders }: Pick<ShortenCommands, 'connectionId' | 'options' | 'orders'>,
): Promise<Prepared | { code: RefusalCode }> {
  const [queues, defaults] = await Promise.all([store.queues(), options ? null : readSettings()]);
  const chosen = connectionId === null ? queues[0] : queues.find(({ connection }) => connection.id === connectionId);
  const { clean, refused } = cleanUrls(orders, queues, defaults);
  const [first] = refused;
  if (first && clean.length === 0) return { code: first.code };
  if (!chosen) return { code: 'no_connection' };
  const { connection } = chosen;
  if (options && hasOptions(options) && !takesOptions(connection, options)) return { code: 'options_not_supported' };
  const lookup = { urls: clean.flatMap(({ url }) => [url, ...shortUrlForms(url)]), ids: clean.map(({ id }) => id) };
  return { connection, clean, refused, lookup, defaults: defaults ?? DEFAULT_SETTINGS };
}

/**
 * Rejects URLs that cannot be shortened, and applies the user's URL settings to the others. If `defaults` is null,
 * the user's settings are not applied.
 */
function cleanUrls(orders: ShortenCommands['orders'], queues: Queue[], defaults: Settings | null) {
  const isOwn = ownShortUrls(queues.map(({ connection }) => connection));
  const clean: CleanCommand[] = [];
  const refused: Accepted['refused'] = [];
  for (const order of orders) {
    const target = pageTarget(order.url, isOwn);
    if ('blocked' in target) refused.push({ orderId: order.id, code: refusalOf(target.blocked) });
    else {
      const url = defaults ? applyUrlDefaults(target.url, defaults) : target.url;
      clean.push({ ...order, ...target, url });
    }
  }
  return { clean, refused };
}

function refusalOf(blocked: string): RefusalCode {
  return blocked === 'own_short_link' ? 'own_short_link' : 'not_shortenable';
}
