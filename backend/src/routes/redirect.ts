import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import { isShortCode } from '../domain/codes.ts';
import type { LinkCache } from '../store/link-cache.ts';
import type { LinkTarget } from '../store/store.ts';
import { sendPage } from './pages.ts';

export interface RedirectServices {
  links: LinkCache;
  clock: Clock;
  /** Told of a look-up that failed. */
  onError(error: unknown): void;
}

/**
 * Answers short URLs. A bare handler: a framework costs a fifth of the redirects a core can do, and there is one
 * route. A link at hand is answered within the same turn.
 */
export function createRedirectListener({ links, clock, onError }: RedirectServices): RequestListener {
  return (request, response) => {
    const code = requestedCode(request);
    const known = code === null ? undefined : links.peek(code);
    if (request.method !== 'GET' && request.method !== 'HEAD') sendPage(response, 405);
    else if (code === null) sendPage(response, 404);
    else if (known) answer(response, known, clock());
    else lookUp(code, response);
  };

  async function lookUp(code: string, response: ServerResponse): Promise<void> {
    try {
      answer(response, await links.fetch(code), clock());
    } catch (error) {
      onError(error);
      sendPage(response, 500);
    }
  }
}

/** The code a request names, or null where its path cannot be one. A query belongs to no code and is let go. */
function requestedCode({ url = '' }: IncomingMessage): string | null {
  // A proxy may send the whole address (RFC 9112, section 3.2.2).
  const path = url.startsWith('/') ? url : (URL.parse(url)?.pathname ?? '');
  const query = path.indexOf('?');
  const code = path.slice(1, query === -1 ? undefined : query);
  return isShortCode(code) ? code : null;
}

function answer(response: ServerResponse, link: LinkTarget | null, now: number): void {
  if (!link) sendPage(response, 404);
  else if (isGone(link, now)) sendPage(response, 410);
  else sendRedirect(response, link.url);
}

function isGone({ deletedAt, expiresAt }: LinkTarget, now: number): boolean {
  return deletedAt !== null || (expiresAt !== null && expiresAt <= now);
}

function sendRedirect(response: ServerResponse, url: string): void {
  const headers = ['Location', url, 'Cache-Control', 'no-store', 'X-Robots-Tag', 'noindex', 'Content-Length', '0'];
  response.writeHead(302, headers);
  response.end();
}
