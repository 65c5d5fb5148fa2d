import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { isSessionValid, SESSION_LIFETIME_MS } from '../domain/accounts/account-rules.ts';
import { OTHER } from '../domain/analytics/top-values.ts';
import { classifyUserAgent } from '../domain/analytics/user-agent-and-referrer.ts';
import { generateToken, hashToken, isToken } from '../domain/clock-and-random.ts';
import type { Credentials, Session } from '../store/interface/account-store.ts';
import type { PageContext, Services } from './page-definition.ts';

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
  setCookie(context, NAME, token, { ...options(baseUrl), maxAge: SESSION_LIFETIME_MS.absolute / 1000 });
}

export function dropSessionCookie(context: PageContext, baseUrl: string): void {
  deleteCookie(context, NAME, options(baseUrl));
}

/** A browser and system in words, such as "Firefox on Linux": enough to recognise your own, and no more. */
export function deviceName(userAgent: string): string {
  const { browser, system } = classifyUserAgent(userAgent);
  if (browser !== OTHER && system !== OTHER) return `${browser} on ${system}`;
  return browser === OTHER ? 'Unknown browser' : browser;
}

/** The session of a request; null where it has none, or one that has ended. */
export async function currentSession(context: PageContext, services: Services): Promise<Session | null> {
  const { store, clock, baseUrl, lastUses } = services;
  const token = readSessionCookie(context, baseUrl) ?? '';
  const session = isToken(token) ? await store.sessions.find(hashToken(token)) : null;
  if (!session || !isSessionValid(session, clock())) return null;
  lastUses.session(session, clock());
  return session;
}

/**
 * Signs a browser in under a new token. The session it had, if any, ends: a token never outlives a sign-in. False where
 * the credentials that were verified have changed since.
 */
export async function beginSession(
  context: PageContext,
  services: Services,
  { accountId, password }: Credentials,
): Promise<boolean> {
  const { store, clock, random, baseUrl } = services;
  const before = await currentSession(context, services);
  const token = generateToken(random);
  const device = deviceName(context.req.header('User-Agent') ?? '');
  const begun = { accountId, password, hash: hashToken(token), device, now: clock() };
  if (!(await store.sessions.create(begun))) return false;
  if (before) await store.sessions.end(before.accountId, before.id);
  setSessionCookie(context, baseUrl, token);
  return true;
}

export async function endSession(context: PageContext, services: Services, session: Session): Promise<void> {
  await services.store.sessions.end(session.accountId, session.id);
  dropSessionCookie(context, services.baseUrl);
}
