import { setImmediate as nextTick } from 'node:timers/promises';
import { LinkList, LinkListQuery, PAGE_LIMIT, SEARCH_LIMIT, TAG_LENGTH_LIMIT } from '@terse/contract';
import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import { linkJson } from '../../domain/links/link-json.ts';
import { hostOf, isStoredCode } from '../../domain/links/short-domains.ts';
import { ApiError } from '../../http/api-error.ts';
import { linkFilter, pageOfLinks } from '../../store/search-and-paginate-links.ts';
import type { LinkPosition } from '../../store/sql/link-queries.ts';
import type { ApiServices, Endpoint } from '../endpoint.ts';
import { findVisibleLink } from '../find-own-link.ts';
import { answered, GENERATED, LINK, type Operation } from '../openapi/describe-endpoint.ts';

/** Value of the query parameter `domain` that lists the links of all domains. */
const ALL_DOMAINS = '*';

const MESSAGES: Record<string, string> = {
  limit: `The limit must be a whole number from 1 to ${PAGE_LIMIT}.`,
  search: `The search text must not be longer than ${SEARCH_LIMIT} characters.`,
  tag: `The tag must not have a comma or more than ${TAG_LENGTH_LIMIT} characters.`,
  cursor: 'This cursor is not valid. Use the "nextCursor" of the previous page.',
};

const doc: Operation = {
  id: 'listLinks',
  tag: 'Links',
  summary: 'List the links',
  description: `The links of the account by \`createdAt\`, newest first, without deleted links. Request the next page with the \`nextCursor\`
of the previous one, until it is null. Links that are created meanwhile do not shift or repeat a page.`,
  query: {
    schema: LinkListQuery,
    about: {
      limit: { description: 'Maximum number of links per page.', example: 25 },
      cursor: {
        description: 'The `nextCursor` of the previous page. It is opaque: do not interpret it.',
        example: 'k7Rm2Wq',
      },
      search: {
        description: 'Returns only links whose short code, title or URL contains this text. Case is ignored.',
        example: 'otter',
      },
      domain: {
        description: 'Domain of the links. Default: the default domain of the service. `*`: all domains.',
        example: 't.example',
      },
      tag: { description: 'Returns only links with this tag. Case is ignored.', example: 'animals' },
    },
  },
  success: {
    status: 200,
    description: 'A page of links.',
    content: answered(LinkList, {
      first: { links: [{ ...LINK, clicks: 42 }, GENERATED], nextCursor: GENERATED.shortCode },
      last: { links: [], nextCursor: null },
    }),
  },
};

export function listLinksEndpoint(services: ApiServices): Endpoint {
  const { store, shortBaseUrls, hasOtherDomains } = services;

  /**
   * Returns the domain whose links are listed, or an empty string for all domains. By default, only links of the
   * default domain are listed, because clients without domain support identify links by their short codes alone.
   */
  function listedDomain(domain: string | undefined): string {
    if (!domain) return hasOtherDomains ? hostOf(shortBaseUrls[0]) : '';
    return domain === ALL_DOMAINS ? '' : domain;
  }

  /**
   * Finds the last link of the previous page. The cursor is the stored code of that link (see `storedCode`), and
   * remains valid after the link is deleted.
   */
  async function findPosition(key: ApiKey, cursor: string | undefined): Promise<LinkPosition | null> {
    if (cursor === undefined) return null;
    const link = isStoredCode(cursor) ? await findVisibleLink(store, key, cursor) : null;
    if (!link) throw invalid('cursor');
    return link;
  }

  return {
    method: 'GET',
    path: '/api/v1/urls',
    access: 'read',
    scope: 'read',
    doc,
    async handle(context) {
      const { key } = context.var;
      const query = context.req.query();
      // Rejects a limit that does not consist of digits. The conversion to a number would also accept `0x10` and
      // `1e1`, which the OpenAPI document does not allow.
      if (!/^\d+$/.test(query.limit ?? '1')) throw invalid('limit');
      const { data, error } = LinkListQuery.safeParse(query);
      if (error) throw invalid(String(error.issues[0]?.path[0]));
      const { limit, cursor, search, domain, tag } = data;
      const after = await findPosition(key, cursor);
      const matches = linkFilter({ search, domain: listedDomain(domain) }, shortBaseUrls);
      const page = { ...ownerOf(key), after, limit, matches, ...(tag && { tag }) };
      const { links, last } = await pageOfLinks(store.links, page, nextTick);
      const list: LinkList = {
        links: links.map((link) => linkJson(link, services)),
        nextCursor: last?.code ?? null,
      };
      return context.json(list);
    },
  };
}

/**
 * Returns a filter for the links that an API key may see: all links of the account, or only the links that were
 * created with the key.
 */
function ownerOf({ id, accountId, ownLinksOnly }: ApiKey) {
  return ownLinksOnly ? { accountId, keyId: id } : { accountId };
}

function invalid(field: string): ApiError {
  return new ApiError('invalid_request', { message: MESSAGES[field] ?? 'The query is not valid.' });
}
