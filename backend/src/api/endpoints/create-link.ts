import { CreateLinkRequest, Link } from '@terse/contract';
import { linkFingerprint } from '../../domain/limits/idempotency-key.ts';
import { domainNames } from '../../domain/links/short-domains.ts';
import type { CreateItem } from '../../store/interface/create-request-store.ts';
import { type CreateDefinition, respondWith, singleItem } from '../create-links-pipeline.ts';
import type { ApiServices } from '../endpoint.ts';
import { answered, GENERATED, LINK, sent } from '../openapi/describe-endpoint.ts';
import { parseLinkInput } from '../validate-link-body.ts';

export const PATH = '/api/v1/urls';

/** `POST /api/v1/urls`: creates one link, with optional fields such as the short code and the title. */
export const createLink: CreateDefinition = {
  path: PATH,
  doc: {
    id: 'createLink',
    tag: 'Links',
    summary: 'Create a link',
    description: `Creates a link. A chosen short code has 3 to 64 letters, digits, hyphens and underscores, and is
case-sensitive unless the service ignores the case of short codes. Some words are reserved. A short code that was used once is never
issued again on the same domain. A service with several domains creates the link on its default domain unless \`domain\` names another.`,
    body: sent(CreateLinkRequest, {
      chosen: { url: LINK.url, shortCode: LINK.shortCode, title: LINK.title },
      expiring: { url: GENERATED.url, expiresAt: GENERATED.expiresAt },
    }),
    success: {
      status: 201,
      description: 'The link was created.',
      content: answered(Link, { chosen: LINK, expiring: GENERATED }),
      headers: {
        Location: { description: 'Address of the link in this API.', example: `https://terse.example${PATH}/otters` },
      },
    },
    errors: [
      'invalid_url',
      'target_refused',
      'invalid_short_code',
      'invalid_domain',
      'invalid_title',
      'invalid_expiry',
      'invalid_tags',
      'short_code_taken',
    ],
  },
  fingerprint: linkFingerprint,
  toItems: (body, services) => singleItem(linkItem(body, services)),
};

/**
 * Parses a link to create. Also used for the items of a batch, whose responses are cached as if each item was sent
 * alone.
 *
 * @throws ApiError if the link is invalid
 */
export function linkItem(body: unknown, services: ApiServices): Omit<CreateItem, 'idempotency'> {
  const { baseUrl, shortBaseUrls } = services;
  const respond = respondWith((link) => {
    const query = link.domain === domainNames(shortBaseUrls)[0] ? '' : `?domain=${link.domain}`;
    return { status: 201, body: JSON.stringify(link), location: `${baseUrl}${PATH}/${link.shortCode}${query}` };
  }, services);
  return { link: parseLinkInput(body, services), respond };
}
