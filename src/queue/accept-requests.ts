import { isLoopback } from '@terse/contract/connection-link';
import { isPrivateTarget, plainHost, REFUSED_TARGET } from '@terse/contract/target-host';
import { NO_OPTIONS } from './add-replace-delete-connection.ts';
import { cancel } from './cancel-retry-pause.ts';
import type { Expiry } from './default-expiry.ts';
import { type CodeGeneration, withCode } from './short-code-generator.ts';
import type { Connection, Group, Link, LinkOptions, Queue, Request, Time } from './types.ts';

/** A URL to accept, after the user's URL defaults were applied. */
export interface CleanCommand {
  id: string;
  url: string;
  title: string;
  /** True if a user name or password was removed from the URL. */
  userInfoRemoved: boolean;
}

/** Settings that apply to all URLs accepted together. */
export interface AcceptOptions {
  /** True to create a new link even if the URL has one. */
  anew: boolean;
  /** Null: the user's defaults apply. */
  options: LinkOptions | null;
  private: boolean;
  source: Request['source'];
  groupId: string | null;
  /** Default lifetime of links without options. */
  expiry: Expiry;
  /** Id of a request that the new one replaces. */
  insteadOf?: string | undefined;
}

/** Result of accepting URLs: new or joined requests, existing links and refusals. */
export interface AcceptResult {
  requestIds: string[];
  existing: { orderId: string; linkId: string; shortUrl: string }[];
  refused: { orderId: string; code: 'own_short_link' | 'target_refused' | 'too_late' }[];
  userInfoRemoved: boolean;
}

interface Acceptance {
  queue: Queue;
  group?: Group;
  result: AcceptResult;
}

/**
 * Accepts URLs. A URL with a live link on the connection gets that link again, unless the user asks for a new one. If a
 * request is replaced, it is canceled only if the new one is accepted.
 *
 * @param knownLinks links with these URLs or ids
 */
export function acceptRequests(
  queue: Queue,
  commands: CleanCommand[],
  accept: AcceptOptions,
  knownLinks: Link[],
  generation: CodeGeneration,
  time: Time,
): Acceptance {
  const { insteadOf } = accept;
  if (insteadOf === undefined) return acceptAll(queue, commands, accept, knownLinks, generation, time);
  if (isSending(queue, insteadOf)) return { queue, result: refuseLate(commands) };
  const accepted = acceptAll(cancel(queue, [insteadOf]), commands, accept, knownLinks, generation, time);
  return accepted.result.refused.length > 0 ? { ...accepted, queue } : accepted;
}

/** True if the request is in flight, so that it cannot be canceled. */
export function isSending({ requests }: Queue, requestId: string): boolean {
  return requests.some(({ id, state }) => id === requestId && state === 'sending');
}

/** Refuses URLs because the request that they replace is being sent. */
export function refuseLate(commands: CleanCommand[]): AcceptResult {
  const refused = commands.map(({ id }) => ({ orderId: id, code: 'too_late' as const }));
  return { requestIds: [], existing: [], refused, userInfoRemoved: false };
}

function acceptAll(
  queue: Queue,
  commands: CleanCommand[],
  { anew, options, private: isPrivate, source, groupId, expiry }: AcceptOptions,
  knownLinks: Link[],
  generation: CodeGeneration,
  time: Time,
): Acceptance {
  // A link without a connection may come from an imported file, which is not trusted.
  const links = new KnownLinks(knownLinks.filter((link) => (isPrivate || !link.private) && link.connectionId !== null));
  const result: AcceptResult = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
  const added: NewRequest[] = [];
  const defaults = defaultOptions(expiry);
  const activeOptions = optionsOfActive(queue, isPrivate);
  for (const { id, url, title, userInfoRemoved } of commands) {
    result.userInfoRemoved ||= userInfoRemoved;
    const link = links.find({ id, url }, queue, anew || (options !== null && hasOptions(options)), time);
    if (link) result.existing.push({ orderId: id, linkId: link.id, shortUrl: link.shortUrl });
    else if (links.hasShortUrl(url)) result.refused.push({ orderId: id, code: 'own_short_link' });
    else if (isRefusedTarget(queue.connection, url)) result.refused.push({ orderId: id, code: 'target_refused' });
    else {
      const chosen = options ? { options } : (activeOptions.get(url) ?? defaults);
      added.push({ id, groupId, url, title, ...chosen, source, private: isPrivate });
    }
  }
  const next = enqueue(queue, added, generation, time);
  const known = new KnownRequests(next.requests);
  const ids = new Map(result.existing.map(({ orderId, linkId }) => [orderId, linkId]));
  for (const request of added) ids.set(request.id, known.find(request)?.id ?? request.id);
  result.requestIds = [...new Set(added.map(({ id }) => ids.get(id) ?? id))];
  if (groupId === null || ids.size === 0) return { queue: next, result };
  const inOrder = new Set(commands.flatMap(({ id }) => ids.get(id) ?? []));
  const group = { id: groupId, ids: [...inOrder], createdAt: time.now, private: isPrivate };
  return { queue: next, group, result };
}

/** Options of a request for which the user chose none. */
export function defaultOptions(expiry: Expiry): Pick<Request, 'options' | 'defaultExpiry'> {
  return { options: NO_OPTIONS, ...(expiry !== 'never' && { defaultExpiry: expiry }) };
}

/** A request before it is accepted. */
export interface NewRequest {
  /** Generated by the caller, so that a repeated command is accepted only once. */
  id: string;
  groupId: string | null;
  url: string;
  title: string;
  options: LinkOptions;
  /** Default lifetime, if the user chose no options. */
  defaultExpiry?: Expiry;
  source: Request['source'];
  private: boolean;
}

/** Maximum length of a stored page title, in UTF-16 units. */
const MAX_TITLE_LENGTH = 1_000;

/** Adds requests to a queue. A request that exists already, by id or by URL and options, is not added again. */
export function enqueue(queue: Queue, added: NewRequest[], generation: CodeGeneration, time: Time): Queue {
  const requests = [...queue.requests];
  const known = new KnownRequests(requests);
  for (const one of added) {
    if (known.find(one)) continue;
    const request: Request = {
      ...one,
      title: one.title.slice(0, MAX_TITLE_LENGTH),
      connectionId: queue.connection.id,
      state: 'waiting',
      // A microsecond between requests keeps the order in which the user listed them.
      createdAt: time.now + (requests.length - queue.requests.length) / 1000,
      idempotencyKey: generation.newKey(),
      attempts: 0,
      sends: [],
      alone: false,
      problem: null,
    };
    const accepted = withCode(request, queue.connection, generation.randomBytes);
    requests.push(accepted);
    known.add(accepted);
  }
  return requests.length === queue.requests.length ? queue : { ...queue, requests };
}

/** Requests indexed by id and URL, because long lists are compared with long queues. */
export class KnownRequests {
  readonly #byId = new Map<string, Request>();
  readonly #byUrl = new Map<string, Request[]>();

  constructor(requests: Request[]) {
    for (const request of requests) this.add(request);
  }

  add(request: Request): void {
    this.#byId.set(request.id, request);
    const sameUrl = this.#byUrl.get(request.url);
    if (sameUrl) sameUrl.push(request);
    else this.#byUrl.set(request.url, [request]);
  }

  /** Finds the request that a new one would repeat. Failed and uncertain requests are found only by their id. */
  find(added: NewRequest): Request | undefined {
    return this.#byId.get(added.id) ?? this.#byUrl.get(added.url)?.find((request) => isDuplicate(request, added));
  }
}

/** Returns the options of active requests by URL. A new request without options joins the active one for its URL. */
export function optionsOfActive(
  { requests }: Queue,
  isPrivate: boolean,
): Map<string, Pick<Request, 'options' | 'defaultExpiry'>> {
  const active = requests.filter((request) => request.private === isPrivate && isActive(request));
  return new Map(
    active.map(({ url, options, defaultExpiry }) => [url, { options, ...(defaultExpiry && { defaultExpiry }) }]),
  );
}

function isActive({ state }: Request): boolean {
  return state !== 'failed' && state !== 'undecided';
}

function isDuplicate(request: Request, added: NewRequest): boolean {
  const { shortCode, title, expiresAt } = request.options;
  return (
    isActive(request) &&
    request.private === added.private &&
    shortCode === added.options.shortCode &&
    title === added.options.title &&
    expiresAt === added.options.expiresAt &&
    request.defaultExpiry === added.defaultExpiry
  );
}

/** Links indexed by id, URL and short URL. */
class KnownLinks {
  readonly #byId: Map<string, Link>;
  readonly #byUrl: Map<string, Link[]>;
  readonly #shortUrls: Set<string>;

  constructor(links: Link[]) {
    this.#byId = new Map(links.map((link) => [link.id, link]));
    this.#byUrl = Map.groupBy(links, ({ url }) => url);
    this.#shortUrls = new Set(links.map(({ shortUrl }) => shortUrl));
  }

  hasShortUrl(url: string): boolean {
    return this.#shortUrls.has(url);
  }

  /** Finds the link that this command already created, or else a live link for its URL. */
  find({ id, url }: { id: string; url: string }, { connection }: Queue, anew: boolean, time: Time): Link | undefined {
    const created = this.#byId.get(id);
    if (created || anew) return created;
    return this.#byUrl.get(url)?.find((link) => link.connectionId === connection.id && isLive(link, time.now));
  }
}

/** True if a link can be reused for its URL: it has a connection, its service still lists it, and it has not expired. */
export function isLive({ connectionId, unlisted, expiresAt }: Link, now: number): boolean {
  return connectionId !== null && !unlisted && (expiresAt === null || expiresAt > now);
}

/** True if the service says that it refuses this URL. Sending it would only cost quota. */
export function isRefusedTarget({ baseUrl, service }: Connection, href: string): boolean {
  if (!service?.refusedTargets) return false;
  const { refusedTargets, shortBaseUrl } = service;
  const url = new URL(href);
  if (refusedTargets.includes(REFUSED_TARGET.private) && isPrivateTarget(url)) return true;
  const isOwnHost = (own: string) => isSameHost(url, new URL(own));
  return refusedTargets.includes(REFUSED_TARGET.own) && [baseUrl, shortBaseUrl].some(isOwnHost);
}

/** True if two URLs have the same host. On loopback, the port counts too, and all names of this computer are equal. */
export function isSameHost(url: URL, own: URL): boolean {
  if (isLoopback(own.hostname)) return isLoopback(plainHost(url)) && url.port === own.port;
  return plainHost(url) === plainHost(own);
}

/** True if the user chose any option. */
export function hasOptions({ shortCode, title, expiresAt }: LinkOptions): boolean {
  return shortCode !== null || title !== null || expiresAt !== null;
}
