import { generateToken, hashToken, type Random } from '../clock-and-random.ts';

/**
 * Maximum number of characters that are normalized. No name is longer, and normalizing a long text could take
 * seconds.
 */
const MAX_NORMALIZED = 1000;

/** Trims and normalizes a name. A text longer than any name is only trimmed. */
export function normalizeName(text: string): string {
  const name = text.trim();
  return name.length > MAX_NORMALIZED ? name : name.normalize('NFC');
}

/** Returns why a text cannot be the name of an account or a key, or null if it can. */
export function nameProblem(name: string, limit: number): string | null {
  if (name === '') return 'Please enter a name.';
  if (name.length > limit) return `A name can have at most ${limit} characters.`;
  // Control and format characters, such as those that change the text direction, could make one name look like
  // another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A name must not contain invisible characters.';
  return null;
}

/** Maximum length of an account name, in characters. */
const ACCOUNT_NAME_LIMIT = 60;

const DAY = 86_400_000;

/** Time for which an invitation is valid, in milliseconds. */
export const INVITATION_LIFETIME_MS = 7 * DAY;

/** Milliseconds after which a session ends: `idle` since its last use, `absolute` since its start. */
export const SESSION_LIFETIME_MS = { idle: 7 * DAY, absolute: 30 * DAY } as const;

/** Returns a name's form for comparison, so that names that differ only in case or width are equal. */
export function nameKey(name: string): string {
  return normalizeName(name).normalize('NFKC').toLowerCase();
}

/** Returns why a text cannot be an account's name, or null if it can. */
export function accountNameProblem(name: string): string | null {
  return nameProblem(name, ACCOUNT_NAME_LIMIT);
}

/** True if a session is valid at `now`. */
export function isSessionValid(session: { createdAt: number; lastUsedAt: number }, now: number): boolean {
  return now < session.lastUsedAt + SESSION_LIFETIME_MS.idle && now < session.createdAt + SESSION_LIFETIME_MS.absolute;
}

/** True if the owner may send a link that takes over the account. Used and disabled accounts are excluded. */
export function isInvitable({ hasHolder, disabledAt }: { hasHolder: boolean; disabledAt: number | null }): boolean {
  return !hasHolder && disabledAt === null;
}

/** Creates an invitation: the stored record, and the token for its link. */
export function createInvitation(random: Random, accountId: number, now: number) {
  const token = generateToken(random);
  return {
    token,
    stored: { accountId, hash: hashToken(token), createdAt: now, expiresAt: now + INVITATION_LIFETIME_MS },
  };
}

/** Returns the link with which the invited person takes over the account. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`;
}
