/** The longest name an account can bear, in characters. */
export const ACCOUNT_NAME_LIMIT = 60;

const DAY = 86_400_000;

/** How long an invitation can be taken up, in milliseconds. */
export const INVITATION_LIFE = 7 * DAY;

/** A session ends when it was not used for this long, and in any case this long after it began; milliseconds. */
export const SESSION_LIFE = { idle: 7 * DAY, absolute: 30 * DAY } as const;

/** A name as it is shown: trimmed, composed. */
export function plainName(text: string): string {
  return text.trim().normalize('NFC');
}

/** What two names must not have in common: neither letter case nor a letter's width tells accounts apart. */
export function nameKey(name: string): string {
  return plainName(name).normalize('NFKC').toLowerCase();
}

/** Why a text cannot be an account's name, in a sentence; null where it can. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'Please enter a name.';
  if (name.length > ACCOUNT_NAME_LIMIT) return `A name can have at most ${ACCOUNT_NAME_LIMIT} characters.`;
  // Control and format characters, the bidirectional ones among them, could make one name look like another.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'A name must not contain invisible characters.';
  return null;
}

/** Whether a session still holds at `now`. */
export function isAlive(session: { createdAt: number; lastUsedAt: number }, now: number): boolean {
  return now < session.lastUsedAt + SESSION_LIFE.idle && now < session.createdAt + SESSION_LIFE.absolute;
}

/** Whether the owner can send somebody a link to take an account over: not one that is held, or shut out. */
export function canBeInvited({ hasHolder, disabledAt }: { hasHolder: boolean; disabledAt: number | null }): boolean {
  return !hasHolder && disabledAt === null;
}
