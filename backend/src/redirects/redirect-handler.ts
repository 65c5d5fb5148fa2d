import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock-and-random.ts';
import { codeInPath, pathIn } from '../domain/links/short-codes.ts';
import type { LinkTarget } from '../domain/links/stored-link.ts';
import { type HostFile, sendHostFile } from '../http/robots-and-security-txt.ts';
import type { PageName } from './error-page-languages.ts';
import type { SendPage } from './error-pages.ts';
import type { FollowedLinks, GuessingLimit } from './guessing-limit.ts';
import type { LinkCache } from './link-cache.ts';

/** Writes clicks down: `add` each, then `commit`; once that has returned they outlive the process. */
export interface ClickRecorder {
  add(link: number, request: IncomingMessage): void;
  commit(): void;
}

export interface RedirectServices {
  links: LinkCache;
  followed: FollowedLinks;
  clock: Clock;
  limiter: GuessingLimit;
  /** Whether the operator has forbidden links to where this one leads. */
  isBlocked(href: string): boolean;
  counts: RedirectCounts;
  clicks: ClickRecorder;
  sendPage: SendPage;
  /** Where the bare host leads; null where it is an unknown link like any other. */
  homeUrl: string | null;
  hostFile: HostFile;
  /** Called when a look-up failed. */
  onError(error: unknown): void;
}

/**
 * Answers short URLs. A bare handler: a framework costs a fifth of the redirects a core can do, and there is one
 * route. A link at hand is answered in the same tick of the event loop.
 */
export function createRedirectListener(services: RedirectServices): RequestListener {
  const { links, followed, clock, limiter, isBlocked, counts, clicks, sendPage, homeUrl, hostFile, onError } = services;
  const batch = createBatch(clicks);

  return (request, response) => {
    const code = requestedCode(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendError(request, response, 'wrongMethod', WRONG_METHOD);
    }
    const known = code === null ? null : links.peek(code);
    if (known) return answer(request, response, known);
    if (answerForHost(request, response)) return;
    if (code === null) return sendError(request, response, 'unknown');
    lookUp(code, request, response);
    // After the look-up, so that what it finds within this tick is sent with this tick's batch.
    batch.begin();
  };

  /** Answers what is asked of the host itself. False where it is asked for a link. */
  function answerForHost(request: IncomingMessage, response: ServerResponse): boolean {
    const path = pathIn(request.url ?? '');
    const file = hostFile(path);
    if (file !== null) sendHostFile(response, file);
    else if (path === '/' && homeUrl !== null) sendRedirect(response, homeUrl);
    else return false;
    return true;
  }

  async function lookUp(code: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const find = () => links.fetch(code);
      // A link that others follow is open to guessers too: refusing it would only hit those who share their address.
      const result = await limiter.lookUp(request, find, () => followed.has(code));
      if ('retryAfter' in result)
        return sendError(request, response, 'throttled', { 'Retry-After': result.retryAfter });
      if (!result.found) return sendError(request, response, 'unknown');
      followed.add(code);
      answer(request, response, result.found);
    } catch (error) {
      onError(error);
      sendError(request, response, 'failed', { 'Retry-After': 5 });
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse, link: LinkTarget): void {
    if (isGone(link, clock())) sendError(request, response, 'gone');
    else if (isBlocked(link.url)) sendError(request, response, 'blocked');
    else redirect(request, response, link);
  }

  function redirect(request: IncomingMessage, response: ServerResponse, { id, url }: LinkTarget): void {
    counts.redirected += 1;
    // A HEAD request does not follow the link.
    if (request.method !== 'HEAD') clicks.add(id, request);
    batch.add(response, url);
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

/** The redirects of one tick of the event loop. */
interface Batch {
  /** Has this tick's batch sent after everything that is to be done in the tick so far. */
  begin(): void;
  add(response: ServerResponse, url: string): void;
}

/**
 * Sends redirects once the clicks of the whole tick are written: a write for each would cost more than all the rest of a
 * redirect.
 */
function createBatch(clicks: ClickRecorder): Batch {
  let waiting: { response: ServerResponse; url: string }[] = [];
  let begun = false;

  function begin(): void {
    if (begun) return;
    begun = true;
    setImmediate(send);
  }

  function send(): void {
    begun = false;
    const answered = waiting;
    waiting = [];
    if (answered.length > 0) clicks.commit();
    for (const { response, url } of answered) sendRedirect(response, url);
  }

  return {
    begin,
    add(response, url) {
      begin();
      waiting.push({ response, url });
    },
  };
}

const WRONG_METHOD = { Allow: 'GET, HEAD' };

/** The code that a request names; null where its path cannot be one. */
function requestedCode({ url = '' }: IncomingMessage): string | null {
  return codeInPath(pathIn(url).slice(1));
}

function isGone({ deletedAt, expiresAt }: LinkTarget, now: number): boolean {
  return deletedAt !== null || (expiresAt !== null && expiresAt <= now);
}

/** As a list, which Node writes without looking each of them up. */
const REDIRECT_HEADERS =
  'Cache-Control no-store X-Robots-Tag noindex X-Content-Type-Options nosniff Content-Length 0'.split(' ');

function sendRedirect(response: ServerResponse, url: string): void {
  response.writeHead(302, ['Location', url, ...REDIRECT_HEADERS]);
  response.end();
}

/** How many requests for short URLs ended in which way. Plain numbers, which cost a redirect next to nothing. */
export type RedirectCounts = Record<'redirected' | 'malformed' | PageName, number>;

export function newRedirectCounts(): RedirectCounts {
  return { redirected: 0, malformed: 0, unknown: 0, wrongMethod: 0, gone: 0, blocked: 0, throttled: 0, failed: 0 };
}
