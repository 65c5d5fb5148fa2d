import { isShortCode } from '../domain/codes.ts';
import { finalDeletion } from '../domain/deletions.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './usage-error.ts';

/** Takes a link down, whoever's it is. Its code is retired for ever; its holder cannot take that back. */
export async function deleteLink(store: Store, code: string, now: number): Promise<void> {
  for (const { id } of isShortCode(code) ? await store.accounts.list() : []) {
    if (await store.links.remove(id, code, finalDeletion(now))) return;
  }
  throw new UsageError(`There is no link ${code}, or it is deleted already.`);
}
