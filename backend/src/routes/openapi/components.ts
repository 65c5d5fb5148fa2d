import {
  Analytics,
  BatchAnswer,
  BatchRequest,
  CreateLinkRequest,
  ErrorBody,
  KeyDocument,
  Link,
  LinkList,
  ServiceDocument,
  ShortenAnswer,
  ShortenRequest,
} from '@terse/contract';
import * as z from 'zod/mini';

export type JsonSchema = Record<string, unknown>;

/** An error as this service sends it: always with its code. */
export const ErrorAnswer = z.extend(ErrorBody, { code: z.string() });

/** What `GET /healthz` and `GET /readyz` answer. */
export const Health = z.object({ status: z.literal('ok') });

/** What `GET /openapi.json` answers, as far as a schema of ours goes. */
export const OpenApiDocument = z.looseObject({ openapi: z.string() });

interface About<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  schema: Schema;
  description: string;
  fields: Record<string, string>;
}

const about = <Schema extends z.ZodMiniObject>(
  schema: Schema,
  description: string,
  fields: { [field in keyof z.infer<Schema>]-?: string },
): About<Schema> => ({ schema, description, fields });

const REQUESTS: Record<string, About> = {
  ShortenRequest: about(ShortenRequest, 'A URL to shorten. Fields that are not named here are ignored.', {
    url: 'The long URL: `http` or `https`, at most 2,048 bytes, without user name or password.',
  }),
  CreateLinkRequest: about(CreateLinkRequest, 'A link to make. Fields that are not named here are ignored.', {
    url: 'The long URL: `http` or `https`, at most 2,048 bytes, without user name or password.',
    shortCode:
      'A code of one’s choice; without it the service makes one. It is taken or refused as it is, case included.',
    title: 'For its owner alone; kept as one line.',
    expiresAt: 'From this instant on the short URL answers 410. Must be in the future.',
  }),
  BatchRequest: about(BatchRequest, 'Links to make by one request.', {
    urls: 'Each is judged by itself: one that is refused does not keep the others from being made.',
  }),
};

const ANSWERS: Record<string, About> = {
  ShortenAnswer: about(ShortenAnswer, 'A short URL.', {
    message: 'A sentence for people.',
    shortUrl: 'The whole short URL.',
  }),
  Link: about(Link, 'A link, as its owner sees it.', {
    shortCode: 'Identifies the link, here and in its short URL.',
    shortUrl: 'The whole short URL.',
    url: 'The long URL, as the WHATWG URL standard writes it. The short URL redirects to exactly this.',
    title: 'For its owner alone.',
    createdAt: 'UTC.',
    expiresAt: 'UTC. From this instant on the short URL answers 410; the link itself can still be read.',
    clicks: 'How often the short URL was opened by people; known bots are not counted here.',
  }),
  LinkList: about(LinkList, 'One page of links, newest first.', {
    links:
      'May be fewer than the limit, even none, on a page that is not the last: a search looks at 20,000 links at a time.',
    nextCursor: 'What to send as `cursor` for the next page; null on the last one.',
  }),
  Analytics: about(Analytics, 'Who clicked a link.', {
    shortCode: 'The link’s.',
    from: 'The first UTC day of the range.',
    to: 'The last UTC day of the range, included.',
    interval: 'Of the series.',
    clicks: 'By people.',
    visitors: 'People, told apart within each UTC day: one who came on three days is three visitors.',
    bots: 'Clicks by known bots.',
    series: 'Every interval of the range in order. A visitor counts in the first hour of the day they came.',
    referrers: 'Hosts that clicks came from, most clicks first.',
    browsers: 'Most clicks first.',
    systems: 'Operating systems, most clicks first.',
    devices: 'Kinds of devices, most clicks first.',
    countries: 'ISO 3166-1 alpha-2 codes, most clicks first, where the operator’s proxy tells them.',
  }),
  BatchAnswer: about(BatchAnswer, 'What became of each link of a batch.', {
    results: 'In the order sent.',
  }),
  KeyDocument: about(KeyDocument, 'The API key that asks, its limits, and what is left of them.', {
    name: 'As its owner named it.',
    lastFour: 'The key’s last four characters.',
    createdAt: 'UTC.',
    throttle: 'How many requests the key may send in a moment.',
    quota: 'How many requests the key may send in a UTC day.',
  }),
  ServiceDocument: about(ServiceDocument, 'What this service is.', {
    name: 'The software.',
    version: 'The software’s version.',
    shortBaseUrl: 'What every short URL begins with.',
    features: 'What it can do, as stable words; ignore those you do not know.',
  }),
  Health: about(Health, 'All is well.', { status: 'Always `ok`.' }),
  OpenApiDocument: about(OpenApiDocument, 'An OpenAPI 3.1 document.', { openapi: 'The version of OpenAPI.' }),
  Error: about(ErrorAnswer, 'A request that was refused.', {
    error: 'A sentence for people; its wording can change.',
    code: 'A stable word for programs.',
  }),
};

const NAMES = new Map(Object.entries({ ...REQUESTS, ...ANSWERS }).map(([name, { schema }]) => [schema, name]));

/** @throws where the schema is none of the components, which is a fault in an endpoint's description */
export function reference(schema: z.ZodMiniType): JsonSchema {
  const name = NAMES.get(schema as z.ZodMiniObject);
  if (!name) throw new Error('A schema of the API is missing among the components of its description.');
  return { $ref: `#/components/schemas/${name}` };
}

/** Every body of the API as JSON Schema (2020-12), by its name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...convert(REQUESTS, 'input'), ...convert(ANSWERS, 'output') };
}

function convert(abouts: Record<string, About>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(abouts)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: plain });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _, $id: __, properties, ...rest } = schema as JsonSchema;
      const { description, fields } = abouts[id] as About;
      return [id, { description, ...rest, properties: describe(properties as Record<string, JsonSchema>, fields) }];
    }),
  );
}

function describe(properties: Record<string, JsonSchema>, fields: Record<string, string>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { description: fields[name], ...schema }]),
  );
}

/** Leaves out what says nothing: the range of safe integers, a pattern beside its format. Answers may grow fields. */
export function plain({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.additionalProperties;
  // What validates a batch takes items of any shape, since each is judged by itself. This tells what a good one is.
  if (zodSchema === BatchRequest.shape.urls) jsonSchema.items = reference(CreateLinkRequest);
}
