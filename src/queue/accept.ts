import { isPrivateTarget, plainHost, REFUSED_TARGET } from '@terse/contract/addresses';
import { isLoopback } from '@terse/contract/connection-link';
import { isTitle, TITLE_LIMIT } from '@terse/contract/link-fields';
import { capabilitiesOf, shortBaseUrlsOf } from '../servers/capabilities.ts';
import { shortUrlForms } from '../servers/own-short-urls.ts';
import { type CodeGeneration, withCode } from './codes.ts';
import { NO_OPTIONS } from './connection.ts';
import type { Expiry } from './default-expiry.ts';
import { LARGEST_BATCH } from './sending.ts';
import type { Connection, Link, LinkOptions, Queue, Request, RequestList } from './types.ts';

/**
 * A URL to shorten. The user's URL settings, such as the removal of tracking parameters, have already been applied.
 */
export interface CleanCommand {
  id: string;
  url: string;
  title: string;
  userInfoRemoved: boolean;
}

/** Options that apply to all URLs that are submitted together. */
export interface AcceptOptions {
  /** True to create a new link even if the URL already has a link. */
  anew: boolean;
  /** Null if the user's default options apply. */
  options: LinkOptions | null;
  source: Request['source'];
  listId: string | null;
  expiry: Expiry;
  /** True to send each page's title as the title of its link. */
  saveTitles: boolean;
}

/** Result of submitting URLs: ids of the new requests, existing links, and refused URLs. */
export interface AcceptResult {
  requestIds: string[];
  existing: { orderId: string; linkId: string; shortUrl: string }[];
  refused: { orderId: string; code: 'own_short_link' | 'target_refused' | 'url_too_long' | 'too_late' }[];
  userInfoRemoved: boolean;
}

interface Acceptance {
  queue: Queue;
  list?: RequestList;
  result: AcceptResult;
}

/**
 * Adds URLs to a queue. A usable link that already exists on the same connection is reused, unless the user asked for
 * a new link.
 *
 * @param knownLinks stored links that match a URL or id in `commands`
 */
export function acceptRequests(
  queue: Queue,
  commands: CleanCommand[],
  { anew, options, source, listId, expiry, saveTitles }: AcceptOptions,
  knownLinks: Link[],
  generation: CodeGeneration,
  now: number,
): Acceptance {
  // Links without a connection are not reused. Such a link might come from an imported file and no longer exist on
  // its server.
  const links = knownLinks.filter(({ connectionId }) => connectionId !== null);
  const linksById = new Map(links.map((link) => [link.id, link]));
  const reusable = links.filter((link) => link.connectionId === queue.connection.id && isLive(link, now));
  const linksByUrl = Map.groupBy(reusable, ({ url }) => url);
  const shortUrls = new Set(links.map(({ shortUrl }) => shortUrl));
  const isAnew = anew || (options !== null && hasOptions(options));
  const result: AcceptResult = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
  const added: NewRequest[] = [];
  const sendsTitles = saveTitles && capabilitiesOf(queue.connection).title;
  const activeOptions = optionsOfActive(queue);
  for (const command of commands) {
    const { id, url, title, userInfoRemoved } = command;
    result.userInfoRemoved ||= userInfoRemoved;
    // A link that an earlier command with the same id created is always reused.
    const link = linksById.get(id) ?? (isAnew ? undefined : linksByUrl.get(url)?.[0]);
    if (link) result.existing.push({ orderId: id, linkId: link.id, shortUrl: link.shortUrl });
    else if ([url, ...shortUrlForms(url)].some((form) => shortUrls.has(form)))
      result.refused.push({ orderId: id, code: 'own_short_link' });
    else if (isRefusedTarget(queue.connection, url)) result.refused.push({ orderId: id, code: 'target_refused' });
    else if (isTooLong(queue.connection, url)) result.refused.push({ orderId: id, code: 'url_too_long' });
    else {
      const chosen = options
        ? { options }
        : (activeOptions.get(url) ?? defaultOptions(expiry, sendsTitles ? title : ''));
      added.push({ id, listId, url, title, ...chosen, source });
    }
  }
  const next = enqueue(queue, added, generation, now);
  const known = byIdAndContent(next.requests);
  const ids = new Map(result.existing.map(({ orderId, linkId }) => [orderId, linkId]));
  for (const request of added) ids.set(request.id, findKnown(known, request)?.id ?? request.id);
  result.requestIds = [...new Set(added.map(({ id }) => ids.get(id) ?? id))];
  if (listId === null || ids.size === 0) return { queue: next, result };
  const inOrder = new Set(commands.flatMap(({ id }) => ids.get(id) ?? []));
  const list = { id: listId, ids: [...inOrder], createdAt: now };
  return { queue: next, list, result };
}

/**
 * Returns the options of a request for which the user chose no options.
 *
 * @param title page title to send as the link's title; empty to send none
 */
function defaultOptions(expiry: Expiry, title = ''): Pick<Request, 'options' | 'defaultExpiry'> {
  const options = { ...NO_OPTIONS, title: linkTitle(title) || null };
  return { options, ...(expiry !== 'never' && { defaultExpiry: expiry }) };
}

/**
 * Makes a page's title acceptable to servers, which may refuse control characters and lone surrogates. Truncates it to
 * the maximum length that servers accept, in code points.
 */
export function linkTitle(title: string): string {
  const text = title
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return isTitle(text) ? text : [...text].slice(0, TITLE_LIMIT).join('');
}

export interface NewRequest {
  /** Id generated by the caller. If two commands have the same id, the second one has no effect. */
  id: string;
  listId: string | null;
  url: string;
  title: string;
  options: LinkOptions;
  /**
   * Default lifetime from the user's settings. Absent if the setting is `never` or if the user chose options for this
   * link.
   */
  defaultExpiry?: Expiry;
  source: Request['source'];
}

/** Maximum length of a stored page title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 1_000;

/** Adds link requests to a queue. Requests that are already in the queue are skipped. */
export function enqueue(queue: Queue, added: NewRequest[], generation: CodeGeneration, now: number): Queue {
  const requests = [...queue.requests];
  const known = byIdAndContent(requests);
  for (const one of added) {
    if (findKnown(known, one)) continue;
    const request: Request = {
      ...one,
      title: one.title.slice(0, MAX_TITLE_LENGTH),
      connectionId: queue.connection.id,
      state: 'waiting',
      // The creation times differ by one microsecond, which preserves the order in which the user listed the URLs.
      createdAt: now + (requests.length - queue.requests.length) / 1000,
      idempotencyKey: generation.newKey(),
      attempts: 0,
      mayExist: false,
      retryAt: null,
      lookUpDue: false,
      maxBatch: LARGEST_BATCH,
      problem: null,
    };
    const accepted = withCode(request, queue.connection, generation.randomBytes);
    requests.push(accepted);
    known.set(accepted.id, accepted).set(contentOf(accepted), accepted);
  }
  return requests.length === queue.requests.length ? queue : { ...queue, requests };
}

/**
 * Returns stored requests by id, and by content if a new request with the same content would be a duplicate. Failed and
 * uncertain requests are no duplicates, so that the user can submit the same URLs again.
 */
function byIdAndContent(requests: Request[]): Map<string, Request> {
  const byContent = requests.filter(isActive).map((request) => [contentOf(request), request] as const);
  return new Map([...byContent, ...requests.map((request) => [request.id, request] as const)]);
}

function findKnown(known: Map<string, Request>, added: NewRequest): Request | undefined {
  return known.get(added.id) ?? known.get(contentOf(added));
}

function contentOf({ url, options, defaultExpiry }: NewRequest): string {
  const { shortCode, title, expiresAt, tags } = options;
  return JSON.stringify([url, shortCode, title, expiresAt, tags, defaultExpiry]);
}

/**
 * Returns the link options of all requests that are waiting or being sent, by URL. A new request for the same URL
 * uses these options by default, so that it counts as a duplicate.
 */
function optionsOfActive({ requests }: Queue): Map<string, Pick<Request, 'options' | 'defaultExpiry'>> {
  const active = requests.filter(isActive);
  return new Map(
    active.map(({ url, options, defaultExpiry }) => [url, { options, ...(defaultExpiry && { defaultExpiry }) }]),
  );
}

function isActive({ state }: Request): boolean {
  return state !== 'failed' && state !== 'uncertain';
}

/**
 * True if a link can be reused: it belongs to a connection, is still in the service's list, has no restriction such
 * as a password, and has not expired.
 */
export function isLive({ connectionId, unlisted, isRestricted, expiresAt }: Link, now: number): boolean {
  return connectionId !== null && !unlisted && !isRestricted && (expiresAt === null || expiresAt > now);
}

/**
 * True if the service document says that the service refuses this kind of URL. Sending the URL would only waste
 * quota.
 */
export function isRefusedTarget({ baseUrl, service }: Connection, href: string): boolean {
  if (!service?.refusedTargets) return false;
  const { refusedTargets } = service;
  const url = new URL(href);
  if (refusedTargets.includes(REFUSED_TARGET.private) && isPrivateTarget(url)) return true;
  const isOwnHost = (own: string) => isSameHost(url, new URL(own));
  return refusedTargets.includes(REFUSED_TARGET.own) && [baseUrl, ...shortBaseUrlsOf(service)].some(isOwnHost);
}

/** Maximum length of a URL in bytes if the service document does not specify one. */
const UNREPORTED_MAX_URL_BYTES = 8_192;

/**
 * True if a URL is longer than the service accepts. `href` contains only ASCII characters, so its length is its size
 * in bytes.
 */
export function isTooLong({ service }: Pick<Connection, 'service'>, href: string): boolean {
  return href.length > (service?.maxUrlBytes ?? UNREPORTED_MAX_URL_BYTES);
}

/** True if two URLs have the same host. All loopback names count as the same host if the ports match. */
export function isSameHost(url: URL, own: URL): boolean {
  if (isLoopback(own.hostname)) return isLoopback(plainHost(url)) && url.port === own.port;
  return plainHost(url) === plainHost(own);
}

export function hasOptions({ shortCode, title, expiresAt, tags }: LinkOptions): boolean {
  return shortCode !== null || title !== null || expiresAt !== null || tags !== undefined;
}
