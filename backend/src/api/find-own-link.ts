import { HEADER } from '@terse/contract';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import { newCodeFault } from '../domain/links/link-rules.ts';
import { foldCode, MAX_CODE_LENGTH } from '../domain/links/short-codes.ts';
import { domainNames, hostOfDomain, isStoredCode, splitStoredCode, storedCode } from '../domain/links/short-domains.ts';
import type { StoredLink } from '../domain/links/stored-link.ts';
import { ApiError } from '../http/api-error.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import type { Store } from '../store/sql/store.ts';
import type { ApiServices, Env } from './endpoint.ts';
import type { Parameters } from './openapi/describe-endpoint.ts';

export const LINK_PATH = '/api/v1/urls/:shortCode';

const LinkPath = z.object({ shortCode: z.string().check(z.minLength(1), z.maxLength(MAX_CODE_LENGTH)) });

export const LINK_PARAMETERS: Parameters = {
  schema: LinkPath,
  about: {
    shortCode: {
      description:
        'Short code of a link of the account, percent-encoded. The code of an imported link can contain slashes (`%2F`).',
      example: 'otters',
    },
  },
};

const DomainQuery = z.object({ domain: z.optional(z.string()) });

export const DOMAIN_PARAMETER: Parameters = {
  schema: DomainQuery,
  about: {
    domain: { description: 'Domain of the link. Default: the default domain of the service.', example: 't.example' },
  },
};

type CodeServices = Pick<ApiServices, 'store' | 'shortBaseUrls' | 'foldsCase'>;

/**
 * Finds the link with the short code in the request path and the domain in the query. Also finds expired links.
 *
 * @throws ApiError `not_found` if the account has no matching link, or `gone` if the link was deleted
 */
export async function findOwnLink(context: Context<Env>, services: CodeServices): Promise<StoredLink> {
  const { store, shortBaseUrls } = services;
  const host = hostOfDomain(context.req.query('domain') ?? '', shortBaseUrls);
  const code = storedCode(host, context.req.param('shortCode') ?? '');
  const link = isStoredCode(code) ? await findVisibleLink(store, context.var.key, code) : null;
  if (!link) {
    const headers = (await isAvailable(services, context.var.key, code)) ? { [HEADER.shortCodeAvailable]: 'true' } : {};
    throw new ApiError('not_found', { message: 'There is no such link.', headers });
  }
  if (link.deletedAt !== null) throw deletedError();
  return link;
}

/**
 * True if the API key can create a link with this stored code (see `storedCode`). Always false for keys of users
 * other than the service owner, because those users must not find out which short codes are taken.
 */
async function isAvailable(
  { store, shortBaseUrls, foldsCase }: CodeServices,
  { accountId, ownLinksOnly, scopes }: ApiKey,
  stored: string,
): Promise<boolean> {
  const { host, code } = splitStoredCode(stored);
  const isOwner = accountId === FIRST_ACCOUNT && !ownLinksOnly && scopes.includes('create');
  const isKnownDomain = host === '' || domainNames(shortBaseUrls).includes(host);
  if (!isOwner || !isKnownDomain || newCodeFault(code)) return false;
  const link = await store.links.resolve(foldsCase ? foldCode(stored) : stored);
  return link === null;
}

export function deletedError(): ApiError {
  return new ApiError('gone', { message: 'This link was deleted.' });
}

/**
 * Finds a link by its stored code (see `storedCode`). Returns null if the account has no link with this code. Also
 * returns null if the API key is restricted to its own links and did not create this link.
 */
export async function findVisibleLink(
  { links }: Pick<Store, 'links'>,
  key: ApiKey,
  code: string,
): Promise<StoredLink | null> {
  const link = await links.find(key.accountId, code);
  return link && (!key.ownLinksOnly || link.keyId === key.id) ? link : null;
}
