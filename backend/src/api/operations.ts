import {
  Analytics,
  AnalyticsQuery,
  BATCH_LIMIT,
  BatchAnswer,
  BatchRequest,
  CreateLinkRequest,
  EditLinkRequest,
  ERROR_STATUS,
  ErrorBody,
  IDEMPOTENCY_KEY_PATTERN,
  KeyDocument,
  type KeyScope,
  Link,
  LinkList,
  LinkListQuery,
  LinkQuery,
  ServiceDocument,
  ShortenAnswer,
  ShortenRequest,
} from '@terse/contract';
import * as z from 'zod/mini';
import { MAX_CODE_LENGTH } from '../domain/links/short-codes.ts';

/** Schemas of request bodies, by their names in the OpenAPI document. */
export const REQUESTS = {
  ShortenRequest,
  CreateLinkRequest,
  EditLinkRequest,
  BatchItem: z.extend(CreateLinkRequest, {
    idempotencyKey: z
      .nullish(z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)))
      .check(z.describe('Makes it safe to send this link again, in another batch or alone.')),
  }),
  BatchRequest,
};

/** Schemas of response bodies, by their names in the OpenAPI document. */
export const RESPONSES = {
  ShortenAnswer,
  Link,
  LinkList,
  Analytics,
  BatchAnswer,
  KeyDocument,
  ServiceDocument,
  Health: z.object({ status: z.literal('ok') }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  // The error code is always present, although the wire format allows other services to omit it.
  Error: z.extend(ErrorBody, {
    code: z.enum(Object.keys(ERROR_STATUS)).check(z.describe('A stable code for programs.')),
  }),
};

export type ComponentName = keyof typeof REQUESTS | keyof typeof RESPONSES;

/** An endpoint of the API. Routes, authentication, rate limits and the OpenAPI document are derived from it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path in Hono's syntax, such as `/api/v1/urls/:shortCode`. */
  path: string;
  /**
   * Scope that the API key must have. Endpoints with the scope `create` are limited per second and per day, and other
   * endpoints with an API key only per second.
   */
  key: KeyScope | 'any' | 'none';
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  parameters?: { path?: z.ZodMiniObject; query?: z.ZodMiniObject };
  body?: ComponentName;
  success: { status: 200 | 201 | 204 | 207; description: string; body?: ComponentName };
}

export const TAGS = {
  Shorten: 'Turn a long URL into a short one.',
  Links: 'Create, find, read, edit and delete links.',
  Analytics: 'Clicks and visitors.',
  Service: 'The service, the limits of a key, and this document.',
} as const;

export const LINKS_PATH = '/api/v1/urls';
const LINK_PATH = `${LINKS_PATH}/:shortCode`;

const LinkPath = z.object({
  shortCode: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MAX_CODE_LENGTH),
      z.describe(
        'Short code of a link of the account, percent-encoded. The code of an imported link can contain slashes (`%2F`).',
      ),
    ),
});

/** Parameters that identify a link. */
const OF_LINK = { path: LinkPath, query: LinkQuery };

/**
 * All endpoints of the API by their operation ID, which code generators use as a function name. If the paths of two
 * endpoints match a request, the earlier endpoint handles it.
 */
export const OPERATIONS = {
  readHealth: {
    method: 'GET',
    path: '/healthz',
    key: 'none',
    tag: 'Service',
    summary: 'Check that the process responds',
    description: 'For monitoring. Needs no key and does not touch the database.',
    success: { status: 200, description: 'The process responds.', body: 'Health' },
  },
  readReadiness: {
    method: 'GET',
    path: '/readyz',
    key: 'none',
    tag: 'Service',
    summary: 'Check that the service is ready',
    description: 'For load balancers: succeeds if the database responds and the service is not stopping. Needs no key.',
    success: { status: 200, description: 'The service is ready.', body: 'Health' },
  },
  readService: {
    method: 'GET',
    path: '/api',
    key: 'none',
    tag: 'Service',
    summary: 'Describe the service',
    description:
      'The version of this service, the domains of its short URLs, its features, the format of its short codes, the targets that it refuses, and the maximum length of a long URL. Needs no key.',
    success: { status: 200, description: 'The service.', body: 'ServiceDocument' },
  },
  shorten: {
    method: 'POST',
    path: '/api/shorten',
    key: 'create',
    tag: 'Shorten',
    summary: 'Shorten a URL',
    description: 'Creates a link to the URL. The service chooses the short code and returns the short URL.',
    body: 'ShortenRequest',
    success: { status: 200, description: 'The link was created.', body: 'ShortenAnswer' },
  },
  createLink: {
    method: 'POST',
    path: LINKS_PATH,
    key: 'create',
    tag: 'Links',
    summary: 'Create a link',
    description: `Creates a link. A chosen short code has 3 to 64 letters, digits, hyphens and underscores, and is
case-sensitive unless the service ignores the case of short codes. Some words are reserved. A short code that was used once is never
issued again on the same domain. A service with several domains creates the link on its default domain unless \`domain\` names another.`,
    body: 'CreateLinkRequest',
    success: { status: 201, description: 'The link was created.', body: 'Link' },
  },
  listLinks: {
    method: 'GET',
    path: LINKS_PATH,
    key: 'read',
    tag: 'Links',
    summary: 'List the links',
    description: `The links of the account by \`createdAt\`, newest first, without deleted links. Request the next page with the \`nextCursor\`
of the previous one, until it is null. Links that are created meanwhile do not shift or repeat a page.`,
    parameters: { query: LinkListQuery },
    success: { status: 200, description: 'A page of links.', body: 'LinkList' },
  },
  createLinks: {
    method: 'POST',
    path: `${LINKS_PATH}/batch`,
    key: 'create',
    tag: 'Links',
    summary: 'Create many links',
    description: `Creates up to ${BATCH_LIMIT} links. The batch counts as one request of the key's limits. Each link is validated
separately and has its own status and result, in the order sent. If two items have the same short code, the first one gets it. An item
can have an \`idempotencyKey\`, which works like the header of \`POST ${LINKS_PATH}\`: if it was used before for the same link, in a
batch or alone, the result is that link.`,
    body: 'BatchRequest',
    success: { status: 207, description: 'The result of each link.', body: 'BatchAnswer' },
  },
  readLink: {
    method: 'GET',
    path: LINK_PATH,
    key: 'read',
    tag: 'Links',
    summary: 'Read a link',
    description:
      'Returns a link of the account, even if the link has expired. A link of another account is answered with 404. If a new link can have the short code, the 404 response contains `Short-Code-Available: true`. Only keys of the owner of the service get this header. They must have the scopes `create` and `read`, and access to all links of the account.',
    parameters: OF_LINK,
    success: { status: 200, description: 'The link.', body: 'Link' },
  },
  editLink: {
    method: 'PATCH',
    path: LINK_PATH,
    key: 'manage',
    tag: 'Links',
    summary: 'Edit a link',
    description: `Changes the URL, title, expiry, query forwarding or tags of a link of the account, by the same rules as for a
new link. Fields that are not in the body stay unchanged; null clears all fields except the URL. Within a second, the short URL redirects to the new URL. The short
code and the click counts stay. Other fields are ignored, but a body that contains only other fields is refused.`,
    parameters: OF_LINK,
    body: 'EditLinkRequest',
    success: { status: 200, description: 'The link after the edit.', body: 'Link' },
  },
  deleteLink: {
    method: 'DELETE',
    path: LINK_PATH,
    key: 'manage',
    tag: 'Links',
    summary: 'Delete a link',
    description: `Deletes a link of the account. Its short URL then answers 410, and its short code is never issued again.
Deleting the link again is answered with 410. A link of another account is answered with 404.`,
    parameters: OF_LINK,
    success: { status: 204, description: 'The link was deleted.' },
  },
  readAnalytics: {
    method: 'GET',
    path: '/api/v1/analytics/:shortCode',
    key: 'read',
    tag: 'Analytics',
    summary: 'Read the clicks of a link',
    description: `Clicks of a link in a range of UTC days: in total, as a series, and by their origin. A click is counted within
seconds. \`clicks\`, \`visitors\` and the lists count people; known bots are counted only in \`bots\`. IP addresses are not stored, so a
visitor is recognized only within one UTC day. In the lists, a \`name\` of null means that the client did not send this information.
\`other\` stands for names that are unknown or too rare to be stored.`,
    parameters: { path: LinkPath, query: AnalyticsQuery },
    success: { status: 200, description: 'The clicks.', body: 'Analytics' },
  },
  readKey: {
    method: 'GET',
    path: '/api/v1/key',
    key: 'any',
    tag: 'Service',
    summary: 'Read the key',
    description:
      'The API key of the request, its limits, what is left of them, and its scopes. Does not count against the quota.',
    success: { status: 200, description: 'The key.', body: 'KeyDocument' },
  },
  describe: {
    method: 'GET',
    path: '/openapi.json',
    key: 'none',
    tag: 'Service',
    summary: 'Describe the API',
    description: 'Returns this document. It is generated from the schemas with which the service validates requests.',
    success: { status: 200, description: 'The OpenAPI document.', body: 'OpenApiDocument' },
  },
} satisfies Record<string, Operation>;
