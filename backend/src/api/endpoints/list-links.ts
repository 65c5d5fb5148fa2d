import { setImmediate as nextTick } from 'node:timers/promises';
import { LinkList, LinkListQuery, PAGE_LIMIT, SEARCH_LIMIT } from '@terse/contract';
import type { ApiKey } from '../../domain/accounts/stored-key.ts';
import { linkJson } from '../../domain/links/link-json.ts';
import { isLinkCode } from '../../domain/links/short-codes.ts';
import { ApiError } from '../../http/api-error.ts';
import type { LinkPosition } from '../../store/interface/link-store.ts';
import { matcher, pageOfLinks } from '../../store/paginate-links.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { findVisibleLink } from '../find-own-link.ts';
import { answered, GENERATED, LINK, type Operation } from '../openapi/describe-endpoint.ts';

const SENTENCES: Record<string, string> = {
  limit: `The limit must be a whole number from 1 to ${PAGE_LIMIT}.`,
  search: `The text to search for must be at most ${SEARCH_LIMIT} characters long.`,
  cursor: 'This cursor is not one that this list gave out.',
};

const doc: Operation = {
  id: 'listLinks',
  tag: 'Links',
  summary: 'List the links',
  description: `The account's links by \`createdAt\`, newest first, deleted ones left out. Ask for the next page with the \`nextCursor\` of the
one before, until it is null; links made meanwhile neither shift nor repeat a page.`,
  query: {
    schema: LinkListQuery,
    about: {
      limit: { description: 'How many links a page may hold.', example: 25 },
      cursor: {
        description: 'The `nextCursor` of the page before. Opaque: it means nothing else.',
        example: 'k7Rm2Wq',
      },
      search: { description: 'Only links whose code, title or URL holds this text, in any case.', example: 'otter' },
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

/** `GET /api/v1/urls`: the account's links, newest first, in pages. */
export function listLinksEndpoint({ store, shortBaseUrl }: Services): Endpoint {
  /** A cursor is the code of the last link looked at: it outlives that link, and tells nothing of anybody else's. */
  async function position(key: ApiKey, cursor: string | undefined): Promise<LinkPosition | null> {
    if (cursor === undefined) return null;
    const link = isLinkCode(cursor) ? await findVisibleLink(store, key, cursor) : null;
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
      // JavaScript reads 0x10 and 1e1 as numbers too; the API's description does not allow them.
      if (!/^\d+$/.test(query.limit ?? '1')) throw invalid('limit');
      const { data, error } = LinkListQuery.safeParse(query);
      if (error) throw invalid(String(error.issues[0]?.path[0]));
      const { limit, cursor, search } = data;
      const after = await position(key, cursor);
      const matches = search?.trim() ? matcher(search) : null;
      const { links, last } = await pageOfLinks(store.links, { ...ownerOf(key), after, limit, matches }, nextTick);
      const list: LinkList = {
        links: links.map((link) => linkJson(link, shortBaseUrl)),
        nextCursor: last?.code ?? null,
      };
      return context.json(list);
    },
  };
}

/** Whose links a key sees. */
function ownerOf({ id, accountId, ownLinksOnly }: ApiKey) {
  return ownLinksOnly ? { accountId, keyId: id } : { accountId };
}

function invalid(field: string): ApiError {
  return new ApiError('invalid_request', { sentence: SENTENCES[field] ?? 'The query is not valid.' });
}
