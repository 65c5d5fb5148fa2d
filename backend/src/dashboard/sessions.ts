import { isUtf8 } from 'node:buffer';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { PageContext, Services } from '../api/services.ts';
import {
  accountNameProblem,
  composeCharacters,
  isSessionValid,
  nameKey,
  normalizeName,
  SESSION_LIFETIME_MS,
} from '../domain/accounts/names-invitations-sessions.ts';
import { OTHER } from '../domain/analytics/day-counts.ts';
import { classifyUserAgent } from '../domain/analytics/user-agent-and-referrer.ts';
import { generateToken, hashToken, isToken } from '../domain/clock-and-random.ts';
import { ApiError } from '../http/api-error.ts';
import type { Credentials, Session } from '../store/sql/account-queries.ts';

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

/**
 * Returns the name of the user whom a trusted proxy has authenticated. Returns null if the header is missing or the
 * request does not come from a trusted proxy. Other clients could forge the header.
 *
 * @throws ApiError `forbidden` if the header is empty, occurs more than once or is not valid UTF-8
 */
export function readProxyUser(context: PageContext, { trustedProxies, authProxyHeader }: Services): string | null {
  const { socket, headersDistinct } = context.env.incoming;
  if (authProxyHeader === null || !trustedProxies.includes(socket.remoteAddress ?? '')) return null;
  const values = headersDistinct[authProxyHeader];
  if (values === undefined) return null;
  const user = decodeUtf8(values[0] ?? '');
  if (values.length === 1 && user) return user;
  throw new ApiError('forbidden', {
    message: `The proxy in front of this server must name exactly one user in the header ${authProxyHeader}, in UTF-8. Ask the operator of this server.`,
  });
}

/**
 * Decodes a header as UTF-8, the encoding in which proxies send names. Node has decoded the header as Latin-1.
 * Returns null if the name is not valid UTF-8 or contains the replacement character (U+FFFD). The replacement
 * character takes the place of unreadable characters, so different names could become equal.
 */
function decodeUtf8(header: string): string | null {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) && !bytes.toString().includes('\ufffd') ? bytes.toString() : null;
}

/**
 * True if the account has the name of this proxy user. Ignores the case of A to Z and the Unicode normalization form.
 * All other differences count, because the proxy could have several users with similar names.
 */
export function isAccountOf(user: string, accountName: string): boolean {
  return comparable(user) === comparable(accountName);
}

function comparable(name: string): string {
  return composeCharacters(name).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns a session for a user whom the proxy has authenticated. Returns null if no active account has the user's
 * name. The session is valid for one request and is not stored, so that the user is signed out as soon as the proxy
 * stops sending the name.
 */
async function createProxySession(user: string, { store, clock }: Services): Promise<Session | null> {
  const isName = accountNameProblem(normalizeName(user)) === null;
  const credentials = isName ? await store.accounts.credentials(nameKey(user)) : null;
  const account = credentials && (await store.accounts.get(credentials.accountId));
  if (!account || !isAccountOf(user, account.name)) return null;
  const now = clock();
  return { id: 0, accountId: account.id, accountName: account.name, createdAt: now, lastUsedAt: now, device: '' };
}

/** Returns the error for a user whom the proxy has authenticated, but who has no account here. */
function noAccountError(user: string): ApiError {
  const problem = accountNameProblem(normalizeName(user));
  const [reason, remedy] = problem
    ? [`no account can have this name. ${problem}`, 'another name']
    : ['no active account on this server has this name.', 'an invitation'];
  return new ApiError('forbidden', {
    message: `You are signed in as “${user.slice(0, 60)}”, but ${reason} Ask the owner of this server for ${remedy}.`,
  });
}
