import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { isSessionValid, SESSION_LIFETIME_MS } from '../domain/accounts/names-invitations-sessions.ts';
import { OTHER } from '../domain/analytics/top-values.ts';
import { classifyUserAgent } from '../domain/analytics/user-agent-and-referrer.ts';
import { generateToken, hashToken, isToken } from '../domain/clock-and-random.ts';
import type { Credentials } from '../store/sql/account-queries.ts';
import type { Session } from '../store/sql/session-queries.ts';
import { createProxySession, noAccountError, readProxyUser } from './proxy-user.ts';
import type { PageContext, Services } from './services.ts';

const COOKIE_NAME = 'terse';

/**
 * Returns the session of a request, or null if there is no valid session. If a trusted proxy authenticates the user,
 * returns a session of this user and ends any session of another account in the same browser.
 *
 * @throws ApiError `forbidden` if the user of the proxy has no account
 */
export async function currentSession(context: PageContext, services: Services): Promise<Session | null> {
  const user = readProxyUser(context, services);
  const stored = await storedSession(context, services);
  if (user === null) return stored;
  const session = await createProxySession(user, services);
  if (stored && stored.accountId === session?.accountId) return stored;
  if (stored) await endSession(context, services, stored);
  if (!session) throw noAccountError(user);
  return session;
}

/** Returns the session that the request's cookie identifies, or null if there is no valid session. */
async function storedSession(context: PageContext, services: Services): Promise<Session | null> {
  const { store, clock, baseUrl, lastUses } = services;
  const token = readSessionCookie(context, baseUrl) ?? '';
  const session = isToken(token) ? await store.sessions.find(hashToken(token)) : null;
  if (!session || !isSessionValid(session, clock())) return null;
  lastUses.session(session, clock());
  return session;
}

/**
 * Creates a session for this browser and ends the browser's previous session. If a trusted proxy has signed in the
 * user, no session is needed. Returns false if the password has changed since it was checked.
 * @throws ApiError `forbidden` if a trusted proxy sends a user name that has no account
 */
export async function startSession(
  context: PageContext,
  services: Services,
  { accountId, password }: Credentials,
): Promise<boolean> {
  const { store, clock, random, baseUrl } = services;
  const previous = await currentSession(context, services);
  if (readProxyUser(context, services) !== null) return true;
  const token = generateToken(random);
  const device = deviceName(context.req.header('User-Agent') ?? '');
  const session = { accountId, password, hash: hashToken(token), device, now: clock() };
  if (!(await store.sessions.create(session))) return false;
  if (previous) await store.sessions.end(previous.accountId, previous.id);
  setSessionCookie(context, baseUrl, token);
  return true;
}

export async function endSession(context: PageContext, services: Services, session: Session): Promise<void> {
  await services.store.sessions.end(session.accountId, session.id);
  deleteSessionCookie(context, services.baseUrl);
}

/** Returns the browser and system, such as "Firefox on Linux", so that users recognize their devices. */
export function deviceName(userAgent: string): string {
  const { browser, system } = classifyUserAgent(userAgent);
  if (browser !== OTHER && system !== OTHER) return `${browser} on ${system}`;
  return browser === OTHER ? 'Unknown browser' : browser;
}

export function readSessionCookie(context: PageContext, baseUrl: string): string | undefined {
  return baseUrl.startsWith('https:') ? getCookie(context, COOKIE_NAME, 'host') : getCookie(context, COOKIE_NAME);
}

export function setSessionCookie(context: PageContext, baseUrl: string, token: string): void {
  setCookie(context, COOKIE_NAME, token, { ...cookieOptions(baseUrl), maxAge: SESSION_LIFETIME_MS.absolute / 1000 });
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
