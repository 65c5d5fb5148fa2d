import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { ApiKey } from '../domain/accounts/stored-key.ts';
import { isLinkCode, MAX_CODE_LENGTH } from '../domain/links/short-codes.ts';
import type { StoredLink } from '../domain/links/stored-link.ts';
import { ApiError } from '../http/api-error.ts';
import type { Store } from '../store/interface/store.ts';
import type { Env, Services } from './endpoint.ts';
import type { Parameters } from './openapi/describe-endpoint.ts';

/** Where one link is, as the router writes it. */
export const LINK_PATH = '/api/v1/urls/:shortCode';

const LinkPath = z.object({ shortCode: z.string().check(z.minLength(1), z.maxLength(MAX_CODE_LENGTH)) });

/** The path's parameter, for a reader. */
export const LINK_PARAMETERS: Parameters = {
  schema: LinkPath,
  about: {
    shortCode: {
      description:
        'The short code of one of the account’s links, percent-encoded: an imported one may hold slashes (`%2F`).',
      example: 'otters',
    },
  },
};

/** A link of the key's account by its code; null where there is none, or it is another key's and this one sees only its own. */
export async function findVisibleLink(
  { links }: Pick<Store, 'links'>,
  key: ApiKey,
  code: string,
): Promise<StoredLink | null> {
  const link = await links.find(key.accountId, code);
  return link && (!key.ownLinksOnly || link.keyId === key.id) ? link : null;
}

/**
 * The link that the path names, where it belongs to the key's account. Anybody else's is answered as if there were none.
 * An expired one is a link like any other.
 *
 * @throws ApiError `not_found`, or `gone` for one's own that was deleted
 */
export async function findOwnLink(context: Context<Env>, { store }: Pick<Services, 'store'>): Promise<StoredLink> {
  const code = context.req.param('shortCode') ?? '';
  const link = isLinkCode(code) ? await findVisibleLink(store, context.var.key, code) : null;
  if (!link) throw new ApiError('not_found', { sentence: 'There is no such link.' });
  if (link.deletedAt !== null) throw new ApiError('gone', { sentence: 'This link was deleted.' });
  return link;
}
