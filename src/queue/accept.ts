import { isLoopback, isPrivateTarget, plainHost, REFUSED_TARGET } from '@terse/contract/addresses';
import { isTitle, TITLE_LIMIT } from '@terse/contract/link-fields';
import { capabilitiesOf, shortBaseUrlsOf, shortUrlForms } from '../servers/capabilities.ts';
import { isStuck, LARGEST_BATCH } from './sending.ts';
import type { Connection, Expiry, Link, LinkOptions, Queue, Request, RequestList } from './types.ts';

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
  refused: { orderId: string; code: 'own_short_link' | 'target_refused' | 'url_too_long' }[];
  userInfoRemoved: boolean;
}

interface Acceptance {
  queue: Queue;
  list?: RequestList;
  result: AcceptResult;
}

export const NO_OPTIONS: LinkOptions = { shortCode: null, title: null, expiresAt: null };

/** Maximum length of a stored page title, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 1_000;

/**
 * Adds URLs to a queue. A usable link that already exists on the same connection is reused, unless the user asked for
 * a new link. A waiting or sent request for the same URL with the same options is not repeated. Failed and uncertain
 * requests are, so that the user can submit the same URLs again.
 *
 * @param knownLinks stored links that match a URL or id in `commands`
 */
export function acceptRequests(
  queue: Queue,
  commands: CleanCommand[],
  { anew, options, source, listId, expiry, saveTitles }: AcceptOptions,
  knownLinks: Link[],
  now: number,
): Acceptance {
  const { connection } = queue;
  // Links without a connection are not reused. Such a link might come from an imported file and no longer exist on
  // its server.
  const links = knownLinks.filter(({ connectionId }) => connectionId !== null);
  const shortUrls = new Set(links.map(({ shortUrl }) => shortUrl));
  const isReused = !anew && (options === null || !hasOptions(options));
  const reusable = links.filter((link) => isReused && link.connectionId === connection.id && isLive(link, now));
  const linksById = new Map(links.map((link) => [link.id, link]));
  const linksByUrl = Map.groupBy(reusable, ({ url }) => url);
  const requestsById = new Map(queue.requests.map((request) => [request.id, request]));
  const activeByUrl = Map.groupBy(
    queue.requests.filter((request) => !isStuck(request)),
    ({ url }) => url,
  );
  const result: AcceptResult = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
  const added: Request[] = [];
  const ids = new Set<string>();
  const sendsTitles = saveTitles && capabilitiesOf(connection).title;
  for (const { id, url, title, userInfoRemoved } of commands) {
    result.userInfoRemoved ||= userInfoRemoved;
    // A link that an earlier command with the same id created is always reused.
    const link = linksById.get(id) ?? linksByUrl.get(url)?.[0];
    const refusal = link ? null : refusalOf(connection, url, shortUrls);
    if (link) {
      result.existing.push({ orderId: id, linkId: link.id, shortUrl: link.shortUrl });
      ids.add(link.id);
    } else if (refusal) result.refused.push({ orderId: id, code: refusal });
    else {
      const active = activeByUrl.get(url) ?? [];
      const same = options === null ? active[0] : active.find((one) => hasSameContent(one, options));
      const known = requestsById.get(id) ?? same;
      const content = options ? { options } : defaultOptions(expiry, sendsTitles ? title : '');
      // The creation times differ by one microsecond, which preserves the order in which the user listed the URLs.
      const createdAt = now + added.length / 1000;
      const request = known ?? newRequest(connection, { id, listId, url, title, ...content, source }, createdAt);
      ids.add(request.id);
      result.requestIds.push(request.id);
      if (known) continue;
      added.push(request);
      requestsById.set(id, request);
      activeByUrl.set(url, [...active, request]);
    }
  }
  result.requestIds = [...new Set(result.requestIds)];
  const list = listId !== null && ids.size > 0 ? { id: listId, ids: [...ids], createdAt: now } : undefined;
  const next = added.length > 0 ? { ...queue, requests: [...queue.requests, ...added] } : queue;
  return { queue: next, result, ...(list && { list }) };
}

function newRequest(
  connection: Connection,
  wanted: Pick<Request, 'id' | 'listId' | 'url' | 'title' | 'options' | 'defaultExpiry' | 'source'>,
  createdAt: number,
): Request {
  return {
    ...wanted,
    title: wanted.title.slice(0, MAX_TITLE_LENGTH),
    connectionId: connection.id,
    state: 'waiting',
    createdAt,
    idempotencyKey: wanted.id,
    attempts: 0,
    mayExist: false,
    retryAt: null,
    lookUpDue: false,
    maxBatch: LARGEST_BATCH,
    problem: null,
  };
}

/** Returns the reason why a URL must not be sent to a connection's server. */
function refusalOf(connection: Connection, url: string, shortUrls: ReadonlySet<string>) {
  if ([url, ...shortUrlForms(url)].some((form) => shortUrls.has(form))) return 'own_short_link';
  if (isRefusedTarget(connection, url)) return 'target_refused';
  return isTooLong(connection, url) ? 'url_too_long' : null;
}

function hasSameContent({ options, defaultExpiry }: Request, { shortCode, title, expiresAt, tags }: LinkOptions) {
  return (
    defaultExpiry === undefined &&
    options.shortCode === shortCode &&
    options.title === title &&
    options.expiresAt === expiresAt &&
    JSON.stringify(options.tags) === JSON.stringify(tags)
  );
}

/**
 * Returns the options of a request for which the user chose no options.
 *
 * @param title page title to send as the link's title; empty to send none
 */
function defaultOptions(expiry: Expiry, title: string): Pick<Request, 'options' | 'defaultExpiry'> {
  const options = { ...NO_OPTIONS, title: title ? linkTitle(title) || null : null };
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
