import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { SESSION_LIFE } from '../domain/accounts.ts';
import type { PageContext } from './page.ts';

const NAME = 'terse';

/**
 * Over https the name bears the `__Host-` prefix (RFC 6265bis, section 4.1.3.2): no other host, sibling or http page
 * can set it. Lax, so that a link to the dashboard opens it signed in; `same-origin.ts` guards what changes something.
 */
function options(baseUrl: string) {
  const lasting = { path: '/', httpOnly: true, sameSite: 'Lax' } as const;
  return baseUrl.startsWith('https:') ? ({ ...lasting, secure: true, prefix: 'host' } as const) : lasting;
}

export function readSessionCookie(context: PageContext, baseUrl: string): string | undefined {
  return baseUrl.startsWith('https:') ? getCookie(context, NAME, 'host') : getCookie(context, NAME);
}

export function setSessionCookie(context: PageContext, baseUrl: string, token: string): void {
  setCookie(context, NAME, token, { ...options(baseUrl), maxAge: SESSION_LIFE.absolute / 1000 });
}

export function dropSessionCookie(context: PageContext, baseUrl: string): void {
  deleteCookie(context, NAME, options(baseUrl));
}
