import type { Connection } from '../queue/types.ts';
import { askAboutLink } from './ask-service.ts';

/**
 * What a service tells of a short code: only whether one of the key's own links has it (`yours`) or had it (`retired`),
 * or none (`none`). Whether somebody else has it, nobody is told. `unknown`: it does not say, or did not answer.
 */
export type CodeUse = 'yours' | 'retired' | 'none' | 'unknown';

const USES: Record<number, CodeUse> = { 200: 'yours', 404: 'none', 410: 'retired' };

/** Looks a short code up at a service that has links. A read costs none of the budget. */
export async function lookUpCode(connection: Connection, code: string): Promise<CodeUse> {
  const { status } = await askAboutLink(connection, 'urls', code, { method: 'GET' });
  return USES[status] ?? 'unknown';
}
