import { isAlive } from '../domain/accounts.ts';
import { hashToken, isToken, mintToken } from '../domain/tokens.ts';
import type { Credentials, Session } from '../store/account-store.ts';
import { dropSessionCookie, readSessionCookie, setSessionCookie } from './cookie.ts';
import { deviceName } from './device.ts';
import type { PageContext } from './page.ts';
import type { Services } from './services.ts';

/** The session of a request; null where it has none, or one that has ended. */
export async function currentSession(context: PageContext, services: Services): Promise<Session | null> {
  const { store, clock, baseUrl, lastUses } = services;
  const token = readSessionCookie(context, baseUrl) ?? '';
  const session = isToken(token) ? await store.sessions.find(hashToken(token)) : null;
  if (!session || !isAlive(session, clock())) return null;
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
  const token = mintToken(random);
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
