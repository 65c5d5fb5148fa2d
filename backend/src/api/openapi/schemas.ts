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

/** A request or response body, with its documentation. The schema describes the fields. */
interface Component<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: Schema;
  description: string;
  example: unknown;
}

/** Creates a component. TypeScript checks that the example matches the schema. */
function body<Schema extends z.ZodMiniObject>(
  schema: Schema,
  description: string,
  example: z.output<Schema>,
): Component<Schema> {
  return { schema, description, example };
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

const BatchItem = z.extend(CreateLinkRequest, {
  idempotencyKey: z
    .nullish(z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)))
    .check(z.describe('Makes it safe to send this link again, in another batch or alone.')),
});

const REQUESTS = {
  ShortenRequest: body(ShortenRequest, 'A URL to shorten. Other fields are ignored.', { url: LINK.url }),
  CreateLinkRequest: body(CreateLinkRequest, 'A link to create. Other fields are ignored.', {
    url: LINK.url,
    shortCode: LINK.shortCode,
    title: LINK.title,
  }),
  EditLinkRequest: body(EditLinkRequest, 'Changes of a link. Other fields are ignored.', {
    url: LINK.url,
    title: null,
  }),
  BatchItem: body(BatchItem, 'A link of a batch. Other fields are ignored.', { url: LINK.url }),
  BatchRequest: body(BatchRequest, 'Links to create with one request.', {
    urls: [{ url: LINK.url, shortCode: LINK.shortCode, title: LINK.title }, { url: 'not a URL' }],
  }),
};

const RESPONSES = {
  ShortenAnswer: body(ShortenAnswer, 'A short URL.', {
    message: 'Your short link is ready.',
    shortUrl: 'https://t.example/k7Rm2Wq',
  }),
  Link: body(Link, 'A link as its owner sees it.', LINK),
  LinkList: body(LinkList, 'One page of links, newest first.', { links: [LINK], nextCursor: null }),
  Analytics: body(Analytics, 'The clicks of a link.', {
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
  }),
  BatchAnswer: body(BatchAnswer, 'The results of a batch.', {
    results: [
      { index: 0, status: 201, link: LINK },
      { index: 1, status: 400, error: messageOf('invalid_url'), code: 'invalid_url' },
    ],
  }),
  KeyDocument: body(KeyDocument, 'The API key of the request, its limits, and what is left of them.', {
    name: 'laptop',
    lastFour: 'x7Qd',
    createdAt: '2026-07-01T12:00:00.000Z',
    throttle: { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 },
    quota: { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 40_211 },
    scopes: ['create', 'read', 'manage'],
    ownLinksOnly: false,
  }),
  ServiceDocument: body(ServiceDocument, 'The service.', SERVICE),
  Health: body(z.object({ status: z.literal('ok') }), 'The service is healthy.', { status: 'ok' }),
  OpenApiDocument: body(z.looseObject({ openapi: z.string() }), 'An OpenAPI 3.1 document.', { openapi: '3.1.0' }),
  // The error code is always present, although the wire format allows other services to omit it.
  Error: body(
    z.extend(ErrorBody, { code: z.string().check(z.describe('A stable code for programs.')) }),
    'The error of a refused request.',
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
  const converted = Object.entries(schemas).map(([id, schema]) => {
    const { $schema: _, $id: __, ...rest } = schema as JsonSchema;
    return [id, { description: components[id]?.description, ...rest }];
  });
  return Object.fromEntries(converted);
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
