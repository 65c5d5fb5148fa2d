import { isLinkCode } from '../domain/link-codes.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './usage-error.ts';

/** Deletes a link, whoever's it is, so that its holder cannot undo it, nor a deletion of their own before. */
export async function deleteLink(store: Store, code: string, now: number): Promise<void> {
  const known = isLinkCode(code) && (await store.links.takeDown(code, now));
  if (!known) throw new UsageError(`There is no link ${code}.`);
}
