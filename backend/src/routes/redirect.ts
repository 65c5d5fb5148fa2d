import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import { isShortCode } from '../domain/codes.ts';
import type { LinkCache } from '../store/link-cache.ts';
import type { LinkTarget } from '../store/store.ts';
import type { MissGuard } from './miss-guard.ts';
import { type PageName, sendPage } from './pages.ts';
import type { RedirectTally } from './redirect-tally.ts';

/** Takes down clicks: `add` each, then `commit`, from whose return on they outlive the process. */
export interface ClickRecorder {
  add(link: number, request: IncomingMessage): void;
  commit(): void;
}

export interface RedirectServices {
  links: LinkCache;
  clock: Clock;
  guard: MissGuard;
  /** Whether the operator has forbidden links to where this one leads. */
  isBlocked(href: string): boolean;
  tally: RedirectTally;
  clicks: ClickRecorder;
  /** Told of a look-up that failed. */
  onError(error: unknown): void;
}

/**
 * Answers short URLs. A bare handler: a framework costs a fifth of the redirects a core can do, and there is one
 * route. A link at hand is answered within the same turn.
 */
export function createRedirectListener(services: RedirectServices): RequestListener {
  const { links, clock, guard, isBlocked, tally, clicks, onError } = services;
  const turns = createTurns(clicks);

  return (request, response) => {
    const code = requestedCode(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 'wrongMethod', WRONG_METHOD);
    if (code === null) return refuse(response, 'unknown');
    const wait = guard.wait(request);
    if (wait > 0) return refuse(response, 'throttled', { 'Retry-After': wait });
    const known = links.peek(code);
    if (known) answer(request, response, known);
    else {
      lookUp(code, request, response);
      // After the look-up was asked for: what it finds in time is answered in this turn, while it is at hand.
      turns.begin();
    }
  };

  async function lookUp(code: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const link = await links.fetch(code);
      if (link) return answer(request, response, link);
      guard.miss(request);
      refuse(response, 'unknown');
    } catch (error) {
      onError(error);
      refuse(response, 'failed', { 'Retry-After': 5 });
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse, link: LinkTarget): void {
    if (isGone(link, clock())) refuse(response, 'gone');
    else if (isBlocked(link.url)) refuse(response, 'blocked');
    else follow(request, response, link);
  }

  function follow(request: IncomingMessage, response: ServerResponse, { id, url }: LinkTarget): void {
    tally.redirected += 1;
    // Who only asks for the headers has not followed the link.
    if (request.method !== 'HEAD') clicks.add(id, request);
    turns.redirect(response, url);
  }

  function refuse(response: ServerResponse, page: PageName, headers?: Record<string, string | number>): void {
    tally[page] += 1;
    sendPage(response, page, headers);
  }
}

interface Turns {
  /** Sees to it that this turn has an end, after everything that was to be done in it so far. */
  begin(): void;
  redirect(response: ServerResponse, url: string): void;
}

/**
 * Answers clicks at the end of the event loop's turn, once all clicks of the turn are written: a write for each would
 * cost more than all the rest of a redirect.
 */
function createTurns(clicks: ClickRecorder): Turns {
  let waiting: { response: ServerResponse; url: string }[] = [];
  let begun = false;

  function begin(): void {
    if (begun) return;
    begun = true;
    setImmediate(end);
  }

  function end(): void {
    begun = false;
    const answered = waiting;
    waiting = [];
    if (answered.length > 0) clicks.commit();
    for (const { response, url } of answered) sendRedirect(response, url);
  }

  return {
    begin,
    redirect(response, url) {
      begin();
      waiting.push({ response, url });
    },
  };
}

const WRONG_METHOD = { Allow: 'GET, HEAD' };

/** The code a request names, or null where its path cannot be one. A query belongs to no code and is let go. */
function requestedCode({ url = '' }: IncomingMessage): string | null {
  // A proxy may send the whole address (RFC 9112, section 3.2.2).
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? '');
  const query = path.indexOf('?');
  const code = path.slice(1, query === -1 ? undefined : query);
  if (isShortCode(code)) return code;
  const plain = plainCode(code);
  return isShortCode(plain) ? plain : null;
}

/**
 * What a spelling that is no code stands for: a letter is the same when percent-encoded (RFC 3986, section 2.3), and a
 * trailing slash is how an address is often pasted.
 */
function plainCode(text: string): string {
  const decoded = text.replace(/%[0-7][0-9a-f]/gi, (octet) => {
    const letter = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(letter) ? letter : octet;
  });
  return decoded.replace(/\/$/, '');
}

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

function isGone({ deletedAt, expiresAt }: LinkTarget, now: number): boolean {
  return deletedAt !== null || (expiresAt !== null && expiresAt <= now);
}

function sendRedirect(response: ServerResponse, url: string): void {
  const headers = ['Location', url, 'Cache-Control', 'no-store', 'X-Robots-Tag', 'noindex', 'Content-Length', '0'];
  response.writeHead(302, headers);
  response.end();
}
