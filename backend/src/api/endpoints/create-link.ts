import { CreateLinkRequest, Link } from '@terse/contract';
import { linkFingerprint } from '../../domain/limits/idempotency-key.ts';
import { domainNames } from '../../domain/links/short-domains.ts';
import type { CreateDefinition } from '../create-links-pipeline.ts';
import { answered, GENERATED, LINK, sent } from '../openapi/describe-endpoint.ts';
import { createdLinkJson, parseLinkInput } from '../validate-link-body.ts';

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
  toLinks: (body, services) => ({ links: [parseLinkInput(body, services)], itemErrors: null }),
  toResponse({ made: [made], settings }) {
    const link = createdLinkJson(made, settings);
    const isDefault = link.domain === domainNames(settings.shortBaseUrls)[0];
    const query = isDefault ? '' : `?domain=${link.domain}`;
    return {
      status: 201,
      body: JSON.stringify(link),
      location: `${settings.baseUrl}${PATH}/${link.shortCode}${query}`,
    };
  },
};
