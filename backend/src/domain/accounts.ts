import { nameProblem, plainName } from './name-rules.ts';

/** The longest name an account can bear, in characters. */
const ACCOUNT_NAME_LIMIT = 60;

const DAY = 86_400_000;

/** How long an invitation can be taken up, in milliseconds. */
export const INVITATION_LIFE = 7 * DAY;

/** A session ends when it was not used for this long, and in any case this long after it began; milliseconds. */
export const SESSION_LIFE = { idle: 7 * DAY, absolute: 30 * DAY } as const;

/** What two names must not have in common: neither letter case nor a letter's width tells accounts apart. */
export function nameKey(name: string): string {
  return plainName(name).normalize('NFKC').toLowerCase();
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
