import { isUtf8 } from 'node:buffer';
import {
  accountNameProblem,
  composeCharacters,
  nameKey,
  normalizeName,
} from '../domain/accounts/names-invitations-sessions.ts';
import { ApiError } from '../http/api-error.ts';
import type { Session } from '../store/sql/session-queries.ts';
import type { PageContext, Services } from './services.ts';

/** Settings for proxies that authenticate users and send the user name in a header. */
type AuthProxySettings = Pick<Services, 'trustedProxies' | 'authProxyHeader'>;

/**
 * Returns the name of the user whom a trusted proxy has authenticated. Returns null if the header is missing or the
 * request does not come from a trusted proxy. Other clients could forge the header.
 *
 * @throws ApiError `forbidden` if the header is empty, occurs more than once or is not valid UTF-8
 */
export function readProxyUser(context: PageContext, settings: AuthProxySettings): string | null {
  const { trustedProxies, authProxyHeader } = settings;
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
export async function createProxySession(user: string, { store, clock }: Services): Promise<Session | null> {
  const isName = accountNameProblem(normalizeName(user)) === null;
  const credentials = isName ? await store.accounts.credentials(nameKey(user)) : null;
  const account = credentials && (await store.accounts.get(credentials.accountId));
  if (!account || !isAccountOf(user, account.name)) return null;
  const now = clock();
  return { id: 0, accountId: account.id, accountName: account.name, createdAt: now, lastUsedAt: now, device: '' };
}

/** Returns the error for a user whom the proxy has authenticated, but who has no account here. */
export function noAccountError(user: string): ApiError {
  const problem = accountNameProblem(normalizeName(user));
  const [reason, remedy] = problem
    ? [`no account can have this name. ${problem}`, 'another name']
    : ['no active account on this server has this name.', 'an invitation'];
  return new ApiError('forbidden', {
    message: `You are signed in as “${user.slice(0, 60)}”, but ${reason} Ask the owner of this server for ${remedy}.`,
  });
}
