import {
  BATCH_LIMIT,
  BatchAnswer,
  BatchRequest,
  CreateLinkRequest,
  Link,
  ShortenAnswer,
  ShortenRequest,
} from '@terse/contract';
import { messageOf } from '../../http/api-error.ts';
import { createBatch, createLink, LINKS_PATH, shorten } from '../create-links.ts';
import type { ApiServices, Endpoint } from '../endpoint.ts';
import { answered, GENERATED, LINK, sent } from '../openapi/describe-endpoint.ts';

export function shortenEndpoint(services: ApiServices): Endpoint {
  return {
    method: 'POST',
    path: '/api/shorten',
    access: 'create',
    scope: 'create',
    doc: {
      id: 'shorten',
      tag: 'Shorten',
      summary: 'Shorten a URL',
      description: 'Creates a link to the URL. The service chooses the short code and returns the short URL.',
      body: sent(ShortenRequest, { url: { url: 'https://en.wikipedia.org/wiki/Otter' } }),
      success: {
        status: 200,
        description: 'The link was created.',
        content: answered(ShortenAnswer, {
          made: { message: 'Your short link is ready.', shortUrl: 'https://t.example/k7Rm2Wq' },
        }),
      },
      errors: ['invalid_url', 'target_refused'],
    },
    handle: (context) => shorten(context, services),
  };
}

export function createLinkEndpoint(services: ApiServices): Endpoint {
  return {
    method: 'POST',
    path: LINKS_PATH,
    access: 'create',
    scope: 'create',
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
          Location: {
            description: 'Address of the link in this API.',
            example: `https://terse.example${LINKS_PATH}/otters`,
          },
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
    handle: (context) => createLink(context, services),
  };
}

export function createBatchEndpoint(services: ApiServices): Endpoint {
  return {
    method: 'POST',
    path: '/api/v1/urls/batch',
    access: 'create',
    scope: 'create',
    doc: {
      id: 'createLinks',
      tag: 'Links',
      summary: 'Create many links',
      description: `Creates up to ${BATCH_LIMIT} links. The batch counts as one request of the key's limits. Each link is validated
separately and has its own status and result, in the order sent. If two items have the same short code, the first one gets it. An item
can have an \`idempotencyKey\`, which works like the header of \`POST /api/v1/urls\`: if it was used before for the same link, in a
batch or alone, the result is that link.`,
      body: sent(BatchRequest, {
        two: { urls: [{ url: LINK.url, shortCode: LINK.shortCode, title: LINK.title }, { url: 'not a URL' }] },
      }),
      success: {
        status: 207,
        description: 'The result of each link.',
        content: answered(BatchAnswer, {
          two: {
            results: [
              { index: 0, status: 201, link: LINK },
              { index: 1, status: 400, error: messageOf('invalid_url'), code: 'invalid_url' },
            ],
          },
        }),
      },
    },
    handle: (context) => createBatch(context, services),
  };
}
