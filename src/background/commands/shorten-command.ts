import { FEATURE } from '@terse/contract/service-capabilities';
import type { Accepted, Message, RefusalCode, Reply, ShortenCommand } from '../../messages/protocol.ts';
import { isLive, isRefusedTarget } from '../../queue/accept-requests.ts';
import {
  acceptRequests,
  cancel,
  KnownRequests,
  type NewRequest,
  optionsOnTheirWay,
  retry,
  setPaused,
  tryNow,
} from '../../queue/cancel-retry-pause.ts';
import { defaultOptions, type Expiry } from '../../queue/default-expiry.ts';
import { reorder } from '../../queue/queue-order.ts';
import { type CodeGeneration, markShortUrlUsed, wasShortUrlUsed } from '../../queue/short-code-generator.ts';
import type { Connection, Group, Link, LinkOptions, Queue, Request, Time } from '../../queue/types.ts';
import { hasFeature } from '../../services/service-adapter.ts';
import type { LinkLookup } from '../../storage/link-queries.ts';
import { readSettings } from '../../storage/settings.ts';
import type { Rule, Store } from '../../storage/store.ts';
import { ownShortUrls, pageTarget } from '../../urls/shortenable-url.ts';
import { applyUrlDefaults } from '../../urls/url-defaults.ts';

export interface CommandDependencies {
  store: Store;
  newId: () => string;
  minting: CodeGeneration;
  /** Reads the queues, once they have been taken over from the worker before. */
  recovered: () => Promise<Queue[]>;
  /** Lets a rule decide on a queue, and begins at once to send what is due then: `QueueRunner.decide`. */
  decide: <T>(connection: Connection, rule: Rule<T>, about: LinkLookup) => Promise<T | null>;
  /** Something may be due. */
  changed: () => void;
  /** Private requests were accepted: the last private window may have closed meanwhile. */
  acceptedPrivate: () => Promise<void>;
}

type ShortenOrders = Omit<Message & { type: 'shorten' }, 'type'> & { source: Request['source'] };

/** An order with its address as it goes out. */
interface CleanOrder extends ShortenCommand {
  userInfoRemoved: boolean;
}

/** What a person can do with the queues. Each is answered once it is on disk. */
export class QueueCommands {
  readonly #dependencies: CommandDependencies;

  constructor(dependencies: CommandDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Accepts orders on one connection, all or none of them in one transaction. The one rule of every way in: an address
   * that has a live link on the connection gives that link again, unless the person asks for a new one. The link defaults
   * apply here too, unless the order has options of its own.
   */
  async shorten(orders: ShortenOrders): Promise<Reply<Accepted>> {
    const { recovered, decide, changed, newId, minting, acceptedPrivate } = this.#dependencies;
    const [queues, defaults] = await Promise.all([recovered(), orders.options ? null : readSettings()]);
    const chosen =
      orders.connectionId === null ? queues[0] : queues.find((one) => one.connection.id === orders.connectionId);
    const isOwn = ownShortUrls(queues.map(({ connection }) => connection.service?.shortBaseUrl));
    const targets = orders.orders.map((order) => ({ order, target: pageTarget(order.url, isOwn) }));
    const refused = targets.flatMap(({ order, target }) =>
      'blocked' in target ? [{ orderId: order.id, code: refusalOf(target.blocked) }] : [],
    );
    const cleaned = (url: string) => (defaults ? applyUrlDefaults(url, defaults) : url);
    const clean = targets.flatMap(({ order, target }) =>
      'url' in target ? [{ ...order, ...target, url: cleaned(target.url) }] : [],
    );
    const [first] = refused;
    if (first && clean.length === 0) return { ok: false, code: first.code };
    if (!chosen) return { ok: false, code: 'no_connection' };
    if (orders.options && hasOptions(orders.options) && !hasFeature(chosen.connection, FEATURE.links))
      return { ok: false, code: 'options_not_supported' };

    const about = { urls: clean.map(({ url }) => url), ids: clean.map(({ id }) => id) };
    const groupId = orders.groupId ?? (orders.orders.length > 1 ? newId() : null);
    const accepted = await decide(
      chosen.connection,
      (queue, time, known) =>
        acceptInstead(queue, clean, { ...orders, groupId, expiry: defaults?.expiry ?? 'never' }, known, minting, time),
      about,
    );
    if (!accepted) return { ok: false, code: 'no_connection' };
    const [alone] = accepted.refused;
    if (alone && orders.orders.length === 1) return { ok: false, code: alone.code };
    // The replaced request may wait on another connection.
    if (orders.insteadOf !== undefined) await this.cancel([orders.insteadOf]);
    if (orders.private) await acceptedPrivate();
    changed();
    return { ok: true, value: { ...accepted, refused: [...refused, ...accepted.refused] } };
  }

  /** Gives up requests wherever they are. Too late for one that is being sent: it cannot be called back. */
  async cancel(ids: string[]): Promise<Reply> {
    const { store, recovered, changed } = this.#dependencies;
    await recovered();
    const late = await store.transactAll((all) => {
      const queues = all.queues.map((queue) => cancel(queue, ids));
      const unassigned = all.unassigned.filter(({ id }) => !ids.includes(id));
      const isLate = queues.some(({ requests }) => requests.some(({ id }) => ids.includes(id)));
      const same = unassigned.length === all.unassigned.length;
      return { all: { ...all, queues, unassigned: same ? all.unassigned : unassigned }, value: isLate };
    });
    changed();
    return late ? { ok: false, code: 'too_late' } : { ok: true, value: null };
  }

  async retry(id: string): Promise<Reply> {
    const { store, newId, recovered, changed } = this.#dependencies;
    await recovered();
    await store.transactEach((queue) => ({ queue: isIn(queue, id) ? retry(queue, id, newId()) : queue, value: null }));
    changed();
    return { ok: true, value: null };
  }

  /** The person has the short URL of a request that waits. It may have ended in its link meanwhile. */
  async handedOut(connectionId: string, requestId: string, shortUrl: string): Promise<Reply> {
    await this.#dependencies.store.transact(
      connectionId,
      (queue, _time, known) => ({
        queue: markShortUrlUsed(queue, requestId, shortUrl),
        links: known
          .filter(({ id }) => id === requestId)
          .map((link) => ({ ...link, ...wasShortUrlUsed(link.shortUrl, shortUrl) })),
        value: null,
      }),
      { ids: [requestId] },
    );
    return { ok: true, value: null };
  }

  /** The person puts a queue on hold, or lets it go on. */
  async setOnHold(connectionId: string, isOnHold: boolean): Promise<Reply> {
    return this.#change(connectionId, (queue) => setPaused(queue, isOnHold));
  }

  /** The person gives requests of one queue another place in line: in front of `before`, or at its end. */
  async reorder(connectionId: string, ids: string[], before: string | null): Promise<Reply> {
    return this.#change(connectionId, (queue) => reorder(queue, ids, before));
  }

  /** The person asks one queue to go on now. */
  async tryNow(connectionId: string): Promise<Reply> {
    return this.#change(connectionId, tryNow);
  }

  async #change(connectionId: string, rule: (queue: Queue) => Queue): Promise<Reply> {
    const { store, recovered, changed } = this.#dependencies;
    await recovered();
    await store.transact(connectionId, (queue) => ({ queue: rule(queue), value: null }));
    changed();
    return { ok: true, value: null };
  }
}

interface Acceptance extends Pick<ShortenOrders, 'anew' | 'options' | 'private' | 'source' | 'insteadOf'> {
  groupId: string | null;
  /** Default of orders without options. */
  expiry: Expiry;
}

/** Accepts orders, and gives up the request that they replace in the same transaction. If they are refused, nothing changes. */
function acceptInstead(...[queue, orders, acceptance, ...rest]: Parameters<typeof accept>): ReturnType<typeof accept> {
  const { insteadOf } = acceptance;
  if (insteadOf === undefined) return accept(queue, orders, acceptance, ...rest);
  const isReplaced = ({ id }: Request) => id === insteadOf;
  const isLate = queue.requests.some((request) => isReplaced(request) && request.state === 'sending');
  const refused = orders.map(({ id }) => ({ orderId: id, code: 'too_late' as const }));
  if (isLate) return { queue, value: { requestIds: [], existing: [], refused, userInfoRemoved: false } };
  const accepted = accept(cancel(queue, [insteadOf]), orders, acceptance, ...rest);
  return accepted.value.refused.length > 0 ? { ...accepted, queue } : accepted;
}

/** Accepts what is new, and finds what is there already. `known`: links of these addresses and ids. */
function accept(
  queue: Queue,
  orders: CleanOrder[],
  { anew, options, private: isPrivate, source, groupId, expiry }: Acceptance,
  known: Link[],
  minting: CodeGeneration,
  time: Time,
): { queue: Queue; group?: Group; value: Accepted } {
  // A link without a connection may come from an imported file, which is not trusted.
  const links = new KnownLinks(known.filter((link) => (isPrivate || !link.private) && link.connectionId !== null));
  const accepted: Accepted = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
  const isNew: NewRequest[] = [];
  const defaults = defaultOptions(queue.connection, expiry, time.now);
  const waiting = optionsOnTheirWay(queue, isPrivate);
  for (const { id, url, title, userInfoRemoved } of orders) {
    accepted.userInfoRemoved ||= userInfoRemoved;
    const link = links.of({ id, url }, queue, anew || (options !== null && hasOptions(options)), time);
    if (link) accepted.existing.push({ orderId: id, linkId: link.id, shortUrl: link.shortUrl });
    else if (links.isShortUrl(url)) accepted.refused.push({ orderId: id, code: 'own_short_link' });
    else if (isRefusedTarget(queue.connection, url)) accepted.refused.push({ orderId: id, code: 'target_refused' });
    else {
      const asked = options ?? waiting.get(url) ?? defaults;
      isNew.push({ id, groupId, url, title, options: asked, source, private: isPrivate });
    }
  }
  const next = acceptRequests(queue, isNew, minting, time);
  const requests = new KnownRequests(next.requests);
  const ids = new Map(accepted.existing.map(({ orderId, linkId }) => [orderId, linkId]));
  for (const order of isNew) ids.set(order.id, requests.find(order)?.id ?? order.id);
  accepted.requestIds = [...new Set(isNew.map(({ id }) => ids.get(id) ?? id))];
  if (groupId === null || ids.size === 0) return { queue: next, value: accepted };
  const inOrder = new Set(orders.flatMap(({ id }) => ids.get(id) ?? []));
  const group = { id: groupId, ids: [...inOrder], createdAt: time.now, private: isPrivate };
  return { queue: next, group, value: accepted };
}

/** Links, by what an order may be answered with. */
class KnownLinks {
  readonly #byId: Map<string, Link>;
  readonly #byUrl: Map<string, Link[]>;
  readonly #shortUrls: Set<string>;

  constructor(links: Link[]) {
    this.#byId = new Map(links.map((link) => [link.id, link]));
    this.#byUrl = Map.groupBy(links, ({ url }) => url);
    this.#shortUrls = new Set(links.map(({ shortUrl }) => shortUrl));
  }

  isShortUrl(url: string): boolean {
    return this.#shortUrls.has(url);
  }

  /** The link that an order has ended in (a page that got no reply asks again), or a live one of the same address. */
  of(
    { id, url }: Pick<ShortenCommand, 'id' | 'url'>,
    { connection }: Queue,
    anew: boolean,
    time: Time,
  ): Link | undefined {
    const made = this.#byId.get(id);
    if (made || anew) return made;
    return this.#byUrl.get(url)?.find((link) => link.connectionId === connection.id && isLive(link, time.now));
  }
}

function isIn({ requests }: Queue, id: string): boolean {
  return requests.some((request) => request.id === id);
}

function hasOptions({ shortCode, title, expiresAt }: LinkOptions): boolean {
  return shortCode !== null || title !== null || expiresAt !== null;
}

function refusalOf(blocked: string): RefusalCode {
  return blocked === 'own_short_link' ? 'own_short_link' : 'not_shortenable';
}
