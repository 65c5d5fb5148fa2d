import {
  Analytics,
  BatchAnswer,
  BatchRequest,
  CreateLinkRequest,
  EditLinkRequest,
  ErrorBody,
  IDEMPOTENCY_KEY_PATTERN,
  KeyDocument,
  Link,
  LinkList,
  ServiceDocument,
  ShortenAnswer,
  ShortenRequest,
} from '@terse/contract';
import * as z from 'zod/mini';
import { messageOf } from '../../http/api-error.ts';
import { SERVICE } from '../service.ts';

export type JsonSchema = Record<string, unknown>;

/** A request or response body, with its documentation. */
interface Component<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: Schema;
  description: string;
  fields: { [Field in keyof z.output<Schema>]-?: string };
  example: unknown;
}

function body<Schema extends z.ZodMiniObject>(
  schema: Schema,
  description: string,
  fields: Component<Schema>['fields'],
  example: z.output<Schema>,
): Component<Schema> {
  return { schema, description, fields, example };
}

const LINK: Link = {
  shortCode: 'otters',
  shortUrl: 'https://t.example/otters',
  domain: 't.example',
  url: 'https://en.wikipedia.org/wiki/Otter',
  title: 'All about otters',
  createdAt: '2026-07-01T12:00:00.000Z',
  expiresAt: null,
  clicks: 0,
  importedClicks: 0,
  forwardQuery: false,
  tags: ['animals'],
};

const LONG_URL =
  'The long URL: `http` or `https`, without user name or password, and no longer than `maxUrlBytes` of the service document.';
const EXPIRY = 'From this time on, the short URL answers 410.';
const FORWARD_QUERY = "True if the short URL adds the visitor's query parameters to the long URL.";
const TAGS = `Tags, visible only to the owner. Tags that differ only in case count as one.`;
const SAME = 'Same as for a single link.';

const BatchItem = z.extend(CreateLinkRequest, {
  idempotencyKey: z.nullish(z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN))),
});

const REQUESTS = {
  ShortenRequest: body(
    ShortenRequest,
    'A URL to shorten. Other fields are ignored.',
    { url: LONG_URL },
    { url: LINK.url },
  ),
  CreateLinkRequest: body(
    CreateLinkRequest,
    'A link to create. Other fields are ignored.',
    {
      url: LONG_URL,
      shortCode:
        'The chosen short code. It is never changed, except to lower case if the service ignores case. Without it, the service generates one.',
      domain: 'One of the domains that `GET /api` lists. Without it, the default domain is used.',
      title: 'Visible only to the owner. Line breaks become spaces.',
      expiresAt: `${EXPIRY} Must be in the future.`,
      forwardQuery: `${FORWARD_QUERY} If absent, the setting of the service applies.`,
      tags: TAGS,
    },
    { url: LINK.url, shortCode: LINK.shortCode, title: LINK.title },
  ),
  EditLinkRequest: body(
    EditLinkRequest,
    'Changes of a link. Other fields are ignored.',
    {
      url: LONG_URL,
      title: 'Visible only to the owner. Line breaks become spaces. Null clears it.',
      expiresAt: `${EXPIRY} Must be in the future. Null clears it.`,
      forwardQuery: `${FORWARD_QUERY} Null: the setting of the service applies again.`,
      tags: `${TAGS} They replace all tags of the link. Null clears them.`,
    },
    { url: LINK.url, title: null },
  ),
  BatchItem: body(
    BatchItem,
    'A link of a batch. Other fields are ignored.',
    {
      url: SAME,
      shortCode: SAME,
      domain: SAME,
      title: SAME,
      expiresAt: SAME,
      forwardQuery: SAME,
      tags: SAME,
      idempotencyKey: 'Makes it safe to send this link again, in another batch or alone.',
    },
    { url: LINK.url },
  ),
  BatchRequest: body(
    BatchRequest,
    'Links to create with one request.',
    { urls: 'Each link is validated separately. If one is refused, the others are still created.' },
    { urls: [{ url: LINK.url, shortCode: LINK.shortCode, title: LINK.title }, { url: 'not a URL' }] },
  ),
};

const RESPONSES = {
  ShortenAnswer: body(
    ShortenAnswer,
    'A short URL.',
    { message: 'A message for people.', shortUrl: 'The whole short URL.' },
    { message: 'Your short link is ready.', shortUrl: 'https://t.example/k7Rm2Wq' },
  ),
  Link: body(
    Link,
    'A link as its owner sees it.',
    {
      shortCode: 'Identifies the link on its domain, here and in its short URL.',
      shortUrl: 'The whole short URL.',
      domain: 'Domain of the short URL. Send it as the query parameter `domain` if it is not the default domain.',
      url: 'The long URL in the form of the WHATWG URL standard. The short URL redirects to exactly this URL.',
      title: 'Visible only to the owner.',
      createdAt: 'UTC.',
      expiresAt: `UTC. ${EXPIRY} The link can still be read.`,
      clicks: 'Number of clicks by people, without known bots.',
      importedClicks: 'Number of clicks that another service had counted before the link was imported.',
      forwardQuery: FORWARD_QUERY,
      tags: 'Tags in the order in which they were sent.',
    },
    LINK,
  ),
  LinkList: body(
    LinkList,
    'One page of links, newest first.',
    {
      links:
        'A search reads at most 20,000 links at a time, so any page can have fewer links than the limit, even none.',
      nextCursor: 'The `cursor` of the next page; null on the last page.',
    },
    { links: [LINK], nextCursor: null },
  ),
  Analytics: body(
    Analytics,
    'The clicks of a link.',
    {
      shortCode: 'Short code of the link.',
      from: 'The first UTC day of the range.',
      to: 'The last UTC day of the range, included.',
      interval: 'Interval of the series.',
      clicks: 'Clicks by people.',
      visitors: 'People, counted once per UTC day. A person who visits on three days counts as three visitors.',
      bots: 'Clicks by known bots.',
      series: 'Every interval of the range in order. A visitor is counted in the hour of the first visit of the day.',
      referrers: 'Hosts of referring pages, most clicks first.',
      browsers: 'Browsers, most clicks first.',
      systems: 'Operating systems, most clicks first.',
      devices: 'Kinds of devices, most clicks first.',
      countries: 'ISO 3166-1 alpha-2 codes, most clicks first, if the operator’s proxy sends them.',
    },
    {
      shortCode: LINK.shortCode,
      from: '2026-07-02',
      to: '2026-07-02',
      interval: 'day',
      clicks: 5,
      visitors: 4,
      bots: 1,
      series: [{ start: '2026-07-02T00:00:00.000Z', clicks: 5, visitors: 4, bots: 1 }],
      referrers: [{ name: 'news.example', clicks: 5 }],
      browsers: [{ name: 'Firefox', clicks: 5 }],
      systems: [{ name: 'other', clicks: 5 }],
      devices: [{ name: 'desktop', clicks: 5 }],
      countries: [{ name: null, clicks: 5 }],
    },
  ),
  BatchAnswer: body(
    BatchAnswer,
    'The results of a batch.',
    { results: 'One result per item, in the order sent.' },
    {
      results: [
        { index: 0, status: 201, link: LINK },
        { index: 1, status: 400, error: messageOf('invalid_url'), code: 'invalid_url' },
      ],
    },
  ),
  KeyDocument: body(
    KeyDocument,
    'The API key of the request, its limits, and what is left of them.',
    {
      name: 'Name that the owner gave the key.',
      lastFour: 'Last four characters of the key.',
      createdAt: 'UTC.',
      throttle: 'Limit of requests in a short time.',
      quota: 'Limit of requests per UTC day.',
      scopes: 'Scopes of the key: `create` links, `read` links and their clicks, `manage` (edit and delete) links.',
      ownLinksOnly: 'True if the key can read and manage only links that it created itself.',
    },
    {
      name: 'laptop',
      lastFour: 'x7Qd',
      createdAt: '2026-07-01T12:00:00.000Z',
      throttle: { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 },
      quota: { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 40_211 },
      scopes: ['create', 'read', 'manage'],
      ownLinksOnly: false,
    },
  ),
  ServiceDocument: body(
    ServiceDocument,
    'The service.',
    {
      name: 'Name of the software.',
      version: 'Version of the software.',
      shortBaseUrl: 'Origin of the short URLs of the default domain.',
      domains:
        'Domains of the short URLs, the default first. Requests name a domain by its `name`. Absent in services with one domain.',
      features: 'Features as stable words. Ignore unknown ones.',
      codes: 'Alphabet and length of new short codes. A client that generates a code this way sends it as `shortCode`.',
      refusedTargets:
        'Kinds of URLs that are always refused: `own` (hosts of this service), `private` (hosts of private networks). Ignore unknown ones.',
      maxUrlBytes: 'Maximum length of a long URL, in bytes after normalization.',
    },
    SERVICE,
  ),
  Health: body(
    z.object({ status: z.literal('ok') }),
    'The service is healthy.',
    { status: 'Always `ok`.' },
    { status: 'ok' },
  ),
  OpenApiDocument: body(
    z.looseObject({ openapi: z.string() }),
    'An OpenAPI 3.1 document.',
    { openapi: 'Version of OpenAPI.' },
    { openapi: '3.1.0' },
  ),
  // The error code is always present, although the wire format allows other services to omit it.
  Error: body(
    z.extend(ErrorBody, { code: z.string() }),
    'The error of a refused request.',
    { error: 'A message for people. Its wording can change.', code: 'A stable code for programs.' },
    { error: messageOf('not_found'), code: 'not_found' },
  ),
};

const COMPONENTS: Record<string, Component> = { ...REQUESTS, ...RESPONSES };

export type ComponentName = keyof typeof REQUESTS | keyof typeof RESPONSES;

export function reference(name: ComponentName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function exampleOf(name: ComponentName): unknown {
  return COMPONENTS[name]?.example;
}

/** Returns the JSON Schemas (draft 2020-12) of all request and response bodies, by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...convert(REQUESTS, 'input'), ...convert(RESPONSES, 'output') };
}

function convert(components: Record<string, Component>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(components)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: simplify });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, properties, ...rest } = schema as JsonSchema;
      const { description, fields } = components[id] as Component;
      const described = Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => [
        name,
        { description: fields[name], ...property },
      ]);
      return [id, { description, ...rest, properties: Object.fromEntries(described) }];
    }),
  );
}

/**
 * Simplifies a JSON Schema that Zod generated. Removes `additionalProperties`, limits that equal the smallest or
 * largest safe integer, and patterns that duplicate a date format.
 */
export function simplify({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.additionalProperties;
  // The schema that validates a batch accepts any items, because each item is validated separately. The documentation
  // shows the schema of a valid item instead.
  if (zodSchema === BatchRequest.shape.urls) jsonSchema.items = reference('BatchItem');
}
