import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { PageContext, Services } from '../api/services.ts';
import { isSessionValid, SESSION_LIFETIME_MS } from '../domain/accounts/names-invitations-sessions.ts';
import { OTHER } from '../domain/analytics/day-counts.ts';
import { classifyUserAgent } from '../domain/analytics/user-agent-and-referrer.ts';
import { generateToken, hashToken, isToken } from '../domain/clock-and-random.ts';
import type { Credentials, Session } from '../store/sql/account-queries.ts';

const COOKIE_NAME = 'terse';

/** Returns the session that the request's cookie identifies, or null if there is no valid session. */
export async function currentSession(context: PageContext, services: Services): Promise<Session | null> {
  const { store, clock, baseUrl, lastUses } = services;
  const token = readSessionCookie(context, baseUrl) ?? '';
  const session = isToken(token) ? await store.sessions.find(hashToken(token)) : null;
  if (!session || !isSessionValid(session, clock())) return null;
  lastUses.session(session, clock());
  return session;
}

/**
 * Creates a session for this browser and ends the browser's previous session. Returns false if the password has changed
 * since it was checked.
 */
export async function startSession(
  context: PageContext,
  services: Services,
  { accountId, password }: Credentials,
): Promise<boolean> {
  const { store, clock, random, baseUrl } = services;
  const previous = await currentSession(context, services);
  const token = generateToken(random);
  const device = deviceName(context.req.header('User-Agent') ?? '');
  const session = { accountId, password, hash: hashToken(token), device, now: clock() };
  if (!(await store.sessions.create(session))) return false;
  if (previous) await store.sessions.end(previous.accountId, previous.id);
  setCookie(context, COOKIE_NAME, token, { ...cookieOptions(baseUrl), maxAge: SESSION_LIFETIME_MS.absolute / 1000 });
  return true;
}

export async function endSession(context: PageContext, services: Services, session: Session): Promise<void> {
  await services.store.sessions.end(session.accountId, session.id);
  deleteSessionCookie(context, services.baseUrl);
}

/** Returns the browser and system, such as "Firefox on Linux", so that users recognize their devices. */
function deviceName(userAgent: string): string {
  const { browser, system } = classifyUserAgent(userAgent);
  if (browser !== OTHER && system !== OTHER) return `${browser} on ${system}`;
  return browser === OTHER ? 'Unknown browser' : browser;
}

function readSessionCookie(context: PageContext, baseUrl: string): string | undefined {
  return baseUrl.startsWith('https:') ? getCookie(context, COOKIE_NAME, 'host') : getCookie(context, COOKIE_NAME);
}

export function deleteSessionCookie(context: PageContext, baseUrl: string): void {
  deleteCookie(context, COOKIE_NAME, cookieOptions(baseUrl));
}

/**
 * Returns the options of the session cookie. Over https, the cookie's name starts with `__Host-`, so that no other
 * host can set the cookie (RFC 6265bis, section 4.1.3.2). `Lax` keeps users signed in when they open the dashboard
 * from a link on another site.
 */
function cookieOptions(baseUrl: string) {
  const shared = { path: '/', httpOnly: true, sameSite: 'Lax' } as const;
  return baseUrl.startsWith('https:') ? ({ ...shared, secure: true, prefix: 'host' } as const) : shared;
}
