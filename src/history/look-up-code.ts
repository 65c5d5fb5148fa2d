import { ownErrorCode } from '@terse/contract/errors';
import type { Connection } from '../queue/types.ts';
import { askAboutLink } from './ask-service.ts';
import { readListed } from './listing.ts';

/**
 * What a service tells of a short code: only whether one of the key's own links has it (`yours`) or had it (`retired`),
 * or none (`none`). Whether somebody else has it, nobody is told. `unknown`: it does not say, or did not answer.
 */
export type CodeUse = 'yours' | 'retired' | 'none' | 'unknown';

/** Looks a short code up at a service that has links. A read costs none of the budget. */
export async function lookUpCode(connection: Connection, code: string): Promise<CodeUse> {
  const answer = await askAboutLink(connection, 'urls', code, { method: 'GET' });
  if (answer.problem) return 'unknown';
  if (readListed(answer.body)?.shortCode === code) return 'yours';
  const error = ownErrorCode(answer.status, answer.body);
  if (error === 'not_found') return 'none';
  return error === 'gone' ? 'retired' : 'unknown';
}
