import { generateToken, hashToken, type Random } from '../clock-and-random.ts';

/**
 * Maximum length of a name that is normalized. Normalizing a long text could take seconds, and valid names are much
 * shorter.
 */
const MAX_NORMALIZED = 1000;

export function normalizeName(text: string): string {
  return composeCharacters(text.trim());
}

/** Converts a name to Unicode NFC, so that a letter and its accent become a single character. */
export function composeCharacters(name: string): string {
  return name.length > MAX_NORMALIZED ? name : name.normalize('NFC');
}

/**
 * Returns an error message if the text is not a valid name for an account or an API key. Returns null if the name is
 * valid.
 */
export function nameProblem(name: string, limit: number): string | null {
  if (name === '') return 'Please enter a name.';
  if (name.length > limit) return `A name can have at most ${limit} characters.`;
  // Control characters and invisible characters are refused, because they could make one name look like another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A name must not contain invisible characters.';
  return null;
}

const ACCOUNT_NAME_LIMIT = 60;

const DAY = 86_400_000;

export const INVITATION_LIFETIME_MS = 7 * DAY;

/**
 * Time after which a session ends, in milliseconds. `idle` starts at the last use of the session, and `absolute` at
 * the sign-in.
 */
export const SESSION_LIFETIME_MS = { idle: 7 * DAY, absolute: 30 * DAY } as const;

/** Normalizes a name for comparison. Names that differ only in case or character width become equal. */
export function nameKey(name: string): string {
  return normalizeName(name).normalize('NFKC').toLowerCase();
}

export function accountNameProblem(name: string): string | null {
  return nameProblem(name, ACCOUNT_NAME_LIMIT);
}

/** True if the session has not expired. Times far in the future come from a wrong clock. */
export function isSessionValid(session: { createdAt: number; lastUsedAt: number }, now: number): boolean {
  const { idle, absolute } = SESSION_LIFETIME_MS;
  return Math.abs(now - session.lastUsedAt) < idle && Math.abs(now - session.createdAt) < absolute;
}

/**
 * True if the owner of the service can invite a person to use the account. The account must be active and must not
 * have a user yet.
 */
export function isInvitable({ hasHolder, disabledAt }: { hasHolder: boolean; disabledAt: number | null }): boolean {
  return !hasHolder && disabledAt === null;
}

/** Creates an invitation to an account. Returns the record to store and the secret token for the invitation link. */
export function createInvitation(random: Random, accountId: number, now: number) {
  const token = generateToken(random);
  return {
    token,
    stored: { accountId, hash: hashToken(token), createdAt: now, expiresAt: now + INVITATION_LIFETIME_MS },
  };
}

export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`;
}
