import { INVITATION_LIFE } from './accounts.ts';
import type { Random } from './random.ts';
import { hashToken, mintToken } from './tokens.ts';

/** What of an invitation is stored, and the token that goes into its link. */
export function mintInvitation(random: Random, accountId: number, now: number) {
  const token = mintToken(random);
  return { token, stored: { accountId, hash: hashToken(token), createdAt: now, expiresAt: now + INVITATION_LIFE } };
}

/** The link somebody opens to take an account over. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome/${token}`;
}
