import type { Context } from 'hono';
import { isShortCode } from '../../domain/codes.ts';
import type { StoredLink } from '../../store/store.ts';
import type { Env, Services } from '../endpoint.ts';
import { Refusal } from '../errors.ts';

/** Where one link is, as the router writes it. */
export const LINK_PATH = '/api/v1/urls/:shortCode';

/**
 * The link that the path names, where it belongs to the key's account. Somebody else's is as unknown as none; one that
 * expired is here like any other.
 *
 * @throws Refusal `not_found`, or `gone` for one's own that was deleted
 */
export async function ownLink(context: Context<Env>, { store }: Pick<Services, 'store'>): Promise<StoredLink> {
  const code = context.req.param('shortCode') ?? '';
  const link = isShortCode(code) ? await store.links.find(context.var.key.accountId, code) : null;
  if (!link) throw new Refusal('not_found', { sentence: 'There is no such link.' });
  if (link.deletedAt !== null) throw new Refusal('gone', { sentence: 'This link was deleted.' });
  return link;
}
