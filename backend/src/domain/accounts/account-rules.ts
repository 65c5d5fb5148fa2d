import { generateToken, hashToken, type Random } from '../clock-and-random.ts';

/** Maximum length of a text that is normalized: no name is longer, and a long text could take seconds. */
const MAX_NORMALIZED = 1000;

/** A name as it is shown: trimmed and normalized. A text that is too long for any name is trimmed only. */
export function normalizeName(text: string): string {
  const name = text.trim();
  return name.length > MAX_NORMALIZED ? name : name.normalize('NFC');
}

/** Why a text cannot be the name of an account or a key, in a sentence; null where it can. */
export function nameProblem(name: string, limit: number): string | null {
  if (name === '') return 'Please enter a name.';
  if (name.length > limit) return `A name can have at most ${limit} characters.`;
  // Control and format characters, the bidirectional ones among them, could make one name look like another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A name must not contain invisible characters.';
  return null;
}

/** The longest name an account can bear, in characters. */
const ACCOUNT_NAME_LIMIT = 60;

const DAY = 86_400_000;

/** How long an invitation can be taken up, in milliseconds. */
export const INVITATION_LIFE = 7 * DAY;

/** A session ends when it was not used for this long, and in any case this long after it began; milliseconds. */
export const SESSION_LIFE = { idle: 7 * DAY, absolute: 30 * DAY } as const;

/** What two names must not have in common: neither letter case nor a letter's width tells accounts apart. */
export function nameKey(name: string): string {
  return normalizeName(name).normalize('NFKC').toLowerCase();
}

/** Why a text cannot be an account's name, in a sentence; null where it can. */
export function accountNameProblem(name: string): string | null {
  return nameProblem(name, ACCOUNT_NAME_LIMIT);
}

/** Whether a session still holds at `now`. */
export function isAlive(session: { createdAt: number; lastUsedAt: number }, now: number): boolean {
  return now < session.lastUsedAt + SESSION_LIFE.idle && now < session.createdAt + SESSION_LIFE.absolute;
}

/** Whether the owner can send somebody a link to take an account over: not one that is held, or shut out. */
export function canBeInvited({ hasHolder, disabledAt }: { hasHolder: boolean; disabledAt: number | null }): boolean {
  return !hasHolder && disabledAt === null;
}

/** What of an invitation is stored, and the token that goes into its link. */
export function createInvitation(random: Random, accountId: number, now: number) {
  const token = generateToken(random);
  return { token, stored: { accountId, hash: hashToken(token), createdAt: now, expiresAt: now + INVITATION_LIFE } };
}

/** The link somebody opens to take an account over. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`;
}
