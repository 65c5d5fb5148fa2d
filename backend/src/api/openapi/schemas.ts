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

/**
 * Error response of this service. The error code is always present, although the wire format allows other services to
 * omit it.
 */
export const ErrorAnswer = z.extend(ErrorBody, { code: z.string() });

export const BatchItem = z.extend(CreateLinkRequest, {
  idempotencyKey: z.nullish(z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN))),
});

export const Health = z.object({ status: z.literal('ok') });

export const OpenApiDocument = z.looseObject({ openapi: z.string() });

export type JsonSchema = Record<string, unknown>;

/**
 * Returns a `$ref` to a schema in the OpenAPI document.
 *
 * @throws if neither `REQUESTS` nor `RESPONSES` contains the schema
 */
export function reference(schema: z.ZodMiniType): JsonSchema {
  const name = NAMES.get(schema as z.ZodMiniObject);
  if (!name) throw new Error('A schema of the API is missing among the components of its OpenAPI document.');
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the JSON Schemas (draft 2020-12) of all request and response bodies, by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...convert(REQUESTS, 'input'), ...convert(RESPONSES, 'output') };
}

function convert(descriptions: Record<string, BodyDescription>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(descriptions)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: simplify });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, properties, ...rest } = schema as JsonSchema;
      const { description, fields } = descriptions[id] as BodyDescription;
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
  if (zodSchema === BatchRequest.shape.urls) jsonSchema.items = reference(BatchItem);
}

interface BodyDescription<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: Schema;
  description: string;
  fields: Record<string, string>;
}

const body = <Schema extends z.ZodMiniObject>(
  schema: Schema,
  description: string,
  fields: { [field in keyof z.infer<Schema>]-?: string },
): BodyDescription<Schema> => ({ schema, description, fields });

const FORWARD_QUERY = "True if the short URL adds the visitor's query parameters to the long URL.";
const TAGS = `Tags, visible only to the owner. Tags that differ only in case count as one.`;

const REQUESTS: Record<string, BodyDescription> = {
  ShortenRequest: body(ShortenRequest, 'A URL to shorten. Other fields are ignored.', {
    url: 'The long URL: `http` or `https`, without user name or password, and no longer than `maxUrlBytes` of the service document.',
  }),
  CreateLinkRequest: body(CreateLinkRequest, 'A link to create. Other fields are ignored.', {
    url: 'The long URL: `http` or `https`, without user name or password, and no longer than `maxUrlBytes` of the service document.',
    shortCode:
      'The chosen short code. It is never changed, except to lower case if the service ignores case. Without it, the service generates one.',
    domain: 'One of the domains that `GET /api` lists. Without it, the default domain is used.',
    title: 'Visible only to the owner. Line breaks become spaces.',
    expiresAt: 'From this time on, the short URL answers 410. Must be in the future.',
    forwardQuery: `${FORWARD_QUERY} If absent, the setting of the service applies.`,
    tags: TAGS,
  }),
  EditLinkRequest: body(EditLinkRequest, 'Changes of a link. Other fields are ignored.', {
    url: 'The long URL: `http` or `https`, without user name or password, and no longer than `maxUrlBytes` of the service document.',
    title: 'Visible only to the owner. Line breaks become spaces. Null clears it.',
    expiresAt: 'From this time on, the short URL answers 410. Must be in the future. Null clears it.',
    forwardQuery: `${FORWARD_QUERY} Null: the setting of the service applies again.`,
    tags: `${TAGS} They replace all tags of the link. Null clears them.`,
  }),
  BatchItem: body(BatchItem, 'A link of a batch. Other fields are ignored.', {
    url: 'Same as for a single link.',
    shortCode: 'Same as for a single link.',
    domain: 'Same as for a single link.',
    title: 'Same as for a single link.',
    expiresAt: 'Same as for a single link.',
    forwardQuery: 'Same as for a single link.',
    tags: 'Same as for a single link.',
    idempotencyKey: 'Makes it safe to send this link again, in another batch or alone.',
  }),
  BatchRequest: body(BatchRequest, 'Links to create with one request.', {
    urls: 'Each link is validated separately. If one is refused, the others are still created.',
  }),
};

const RESPONSES: Record<string, BodyDescription> = {
  ShortenAnswer: body(ShortenAnswer, 'A short URL.', {
    message: 'A message for people.',
    shortUrl: 'The whole short URL.',
  }),
  Link: body(Link, 'A link as its owner sees it.', {
    shortCode: 'Identifies the link on its domain, here and in its short URL.',
    shortUrl: 'The whole short URL.',
    domain: 'Domain of the short URL. Send it as the query parameter `domain` if it is not the default domain.',
    url: 'The long URL in the form of the WHATWG URL standard. The short URL redirects to exactly this URL.',
    title: 'Visible only to the owner.',
    createdAt: 'UTC.',
    expiresAt: 'UTC. From this time on, the short URL answers 410. The link can still be read.',
    clicks: 'Number of clicks by people, without known bots.',
    importedClicks: 'Number of clicks that another service had counted before the link was imported.',
    forwardQuery: FORWARD_QUERY,
    tags: 'Tags in the order in which they were sent.',
  }),
  LinkList: body(LinkList, 'One page of links, newest first.', {
    links: 'A search reads at most 20,000 links at a time, so any page can have fewer links than the limit, even none.',
    nextCursor: 'The `cursor` of the next page; null on the last page.',
  }),
  Analytics: body(Analytics, 'The clicks of a link.', {
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
  }),
  BatchAnswer: body(BatchAnswer, 'The results of a batch.', {
    results: 'One result per item, in the order sent.',
  }),
  KeyDocument: body(KeyDocument, 'The API key of the request, its limits, and what is left of them.', {
    name: 'Name that the owner gave the key.',
    lastFour: 'Last four characters of the key.',
    createdAt: 'UTC.',
    throttle: 'Limit of requests in a short time.',
    quota: 'Limit of requests per UTC day.',
    scopes: 'Scopes of the key: `create` links, `read` links and their clicks, `manage` (edit and delete) links.',
    ownLinksOnly: 'True if the key can read and manage only links that it created itself.',
  }),
  ServiceDocument: body(ServiceDocument, 'The service.', {
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
  }),
  Health: body(Health, 'The service is healthy.', { status: 'Always `ok`.' }),
  OpenApiDocument: body(OpenApiDocument, 'An OpenAPI 3.1 document.', { openapi: 'Version of OpenAPI.' }),
  Error: body(ErrorAnswer, 'The error of a refused request.', {
    error: 'A message for people. Its wording can change.',
    code: 'A stable code for programs.',
  }),
};

const NAMES = new Map(Object.entries({ ...REQUESTS, ...RESPONSES }).map(([name, { schema }]) => [schema, name]));
