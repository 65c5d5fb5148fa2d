import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clicks } from '../clicks/start-clicks.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import type { RequestDomain } from '../domain/links/short-codes.ts';
import { codeBeforeSentenceEnd, codeInPath, pathIn, storedCode } from '../domain/links/short-codes.ts';
import type { LinkTarget } from '../domain/links/stored-link.ts';
import type { PageName, SendPage } from './error-pages.ts';
import type { GuessingLimit } from './guessing-limit.ts';
import type { LinkCache } from './link-cache.ts';

export interface RedirectServices {
  links: LinkCache;
  /**
   * Returns the domain for a `Host` header. If there is only one domain, `domainOf` itself is null, because reading
   * headers would make redirects slower.
   */
  domainOf: ((header: string | undefined) => RequestDomain) | null;
  /** Converts a short code to lower case. If short codes are case-sensitive, `fold` itself is null. */
  fold: ((code: string) => string) | null;
  clock: Clock;
  limiter: GuessingLimit;
  /** True if the operator has blocked the host to which the link leads. Null if the operator blocks no hosts. */
  isBlocked: ((href: string) => boolean) | null;
  counts: RedirectCounts;
  clicks: Pick<Clicks, 'describe' | 'add'>;
  sendPage: SendPage;
  /** Redirect target for the path `/`. If null, visitors to this path see the page for unknown links. */
  homeUrl: string | null;
  /** Default for links that have no `forwardQuery` setting. If true, the visitor's query parameters are forwarded. */
  forwardsQuery: boolean;
  /** Maximum length of a long URL with forwarded query parameters, in bytes. */
  maxUrlBytes: number;
  /** Called with the error if a redirect has failed. */
  onError(error: unknown): void;
}

const DEFAULT_DOMAIN: RequestDomain = { host: '' };

/**
 * Creates a listener that handles requests for short URLs. It uses no web framework, because a framework would make
 * redirects 20 % slower.
 */
export function createRedirectListener(services: RedirectServices): RequestListener {
  const { links, domainOf, fold, clock, limiter, isBlocked, counts, clicks, sendPage } = services;
  const { homeUrl, forwardsQuery, maxUrlBytes, onError } = services;

  return (request, response) => {
    const domain = domainOf ? domainOf(request.headers.host) : DEFAULT_DOMAIN;
    const code = requestedCode(request, domain, codeInPath);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendError(request, response, 'wrongMethod', WRONG_METHOD);
    }
    const known = code === null ? null : links.peek(code);
    if (known) return answer(request, response, known).catch((error) => fail(request, response, error));
    if (domain === 'unknown') return sendError(request, response, 'unknownHost');
    if (homeUrl !== null && pathIn(request.url ?? '') === '/') return sendRedirect(response, homeUrl);
    const codes = [code, requestedCode(request, domain, codeBeforeSentenceEnd)].filter((one) => one !== null);
    if (codes.length === 0) return sendError(request, response, 'unknown');
    lookUp(codes, request, response);
  };

  /**
   * Returns the code under which the requested link is stored, or null if the request is not for a link.
   *
   * @param codeIn finds the short code in the path
   */
  function requestedCode(
    request: IncomingMessage,
    domain: RequestDomain,
    codeIn: (path: string) => string | null,
  ): string | null {
    const code = codeIn(pathIn(request.url ?? '').slice(1));
    if (code === null || typeof domain === 'string') return null;
    return storedCode(domain.host, fold ? fold(code) : code);
  }

  /** Answers with the first link that has one of the codes. */
  async function lookUp(codes: string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const find = async () => {
      for (const code of codes) {
        const link = await links.fetch(code);
        if (link) return link;
      }
      return null;
    };
    try {
      const [first = ''] = codes;
      // Clicks on a cached link are not limited either while they wait for the check whether the link has changed.
      const result = links.has(first) ? { found: await find() } : await limiter.lookUp(request, find);
      if ('retryAfter' in result)
        return sendError(request, response, 'throttled', { 'Retry-After': result.retryAfter });
      if (!result.found) return sendError(request, response, 'unknown');
      await answer(request, response, result.found);
    } catch (error) {
      fail(request, response, error);
    }
  }

  function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    onError(error);
    sendError(request, response, 'failed', { 'Retry-After': 5 });
  }

  async function answer(request: IncomingMessage, response: ServerResponse, link: LinkTarget): Promise<void> {
    const { deletedAt, expiresAt } = link;
    if (deletedAt !== null || (expiresAt !== null && expiresAt <= clock())) sendError(request, response, 'gone');
    else if (isBlocked?.(link.url)) sendError(request, response, 'blocked');
    else await redirect(request, response, link);
  }

  async function redirect(request: IncomingMessage, response: ServerResponse, link: LinkTarget): Promise<void> {
    const requested = request.url ?? '';
    const isForwarded = requested.includes('?') && (link.forwardQuery ?? forwardsQuery);
    const url = isForwarded ? forwardQuery(link.url, requested, maxUrlBytes) : link.url;
    // A HEAD request does not count as a click, because the client does not open the link.
    if (request.method !== 'HEAD') await clicks.add(clicks.describe(link.id, request));
    sendRedirect(response, url);
    counts.redirected += 1;
  }

  function sendError(
    request: IncomingMessage,
    response: ServerResponse,
    page: PageName,
    headers?: Record<string, string | number>,
  ): void {
    counts[page] += 1;
    sendPage(request, response, page, headers);
  }
}

const WRONG_METHOD = { Allow: 'GET, HEAD' };

/** List of alternating header names and values, because Node sends a list faster than an object. */
const REDIRECT_HEADERS =
  'Cache-Control no-store X-Robots-Tag noindex X-Content-Type-Options nosniff Content-Length 0'.split(' ');

function sendRedirect(response: ServerResponse, url: string): void {
  response.writeHead(302, ['Location', url, ...REDIRECT_HEADERS]);
  response.end();
}

/**
 * Number of requests for short URLs, by result. These are plain numbers, because counting must not slow down
 * redirects.
 */
export type RedirectCounts = Record<'redirected' | 'malformed' | PageName, number>;

export function newRedirectCounts(): RedirectCounts {
  return {
    redirected: 0,
    malformed: 0,
    unknown: 0,
    unknownHost: 0,
    wrongMethod: 0,
    gone: 0,
    blocked: 0,
    throttled: 0,
    failed: 0,
  };
}

/** Characters that must be percent-encoded in the query of a URL, as defined by the WHATWG URL standard. */
const UNSAFE = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/g;

/**
 * Adds the visitor's query parameters to the long URL of a link. If the visitor and the long URL use the same
 * parameter name, only the visitor's values are kept. The rest of the long URL, including its fragment, remains
 * unchanged.
 *
 * @param requested request target in Node's encoding, with one character per byte
 * @returns `url` if the visitor sent no parameters, or if the result would be longer than `maxBytes`
 */
export function forwardQuery(url: string, requested: string, maxBytes: number): string {
  const sent = queryOf(requested)
    .replace(UNSAFE, percentEncode)
    .split('&')
    .filter((parameter) => parameter !== '');
  if (sent.length === 0) return url;
  const replaced = namesIn(sent.join('&'));
  const [address, fragment] = splitAt(url, '#');
  const [base, query] = splitAt(address, '?');
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => replaced.isDisjointFrom(namesIn(parameter)))
    .join('&');
  const forwarded = `${base}?${kept === '' ? '' : `${kept}&`}${sent.join('&')}${fragment}`;
  return forwarded.length > maxBytes ? url : forwarded;
}

function queryOf(requested: string): string {
  const [address] = splitAt(requested, '#');
  return splitAt(address, '?')[1].slice(1);
}

/**
 * Splits a string before the first occurrence of a character. If the character does not occur, the second part is
 * empty.
 */
function splitAt(text: string, character: string): [string, string] {
  const at = text.indexOf(character);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function percentEncode(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Returns the decoded names of parameters. A leading ampersand prevents `URLSearchParams` from removing a question
 * mark at the start of the first name.
 */
function namesIn(query: string): Set<string> {
  return new Set(new URLSearchParams(`&${query}`).keys());
}
