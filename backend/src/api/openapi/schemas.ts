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

export type JsonSchema = Record<string, unknown>;

const REQUESTS = {
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

const RESPONSES = {
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
  Error: z.extend(ErrorBody, { code: z.string().check(z.describe('A stable code for programs.')) }),
};

export type ComponentName = keyof typeof REQUESTS | keyof typeof RESPONSES;

const URL_EXAMPLE = 'https://en.wikipedia.org/wiki/Otter';
const LINK_EXAMPLE = { url: URL_EXAMPLE, shortCode: 'otters', title: 'All about otters' };

/** Examples of request bodies. The documentation page enters them into its forms. */
const EXAMPLES: Record<string, object> = {
  ShortenRequest: { url: URL_EXAMPLE },
  CreateLinkRequest: LINK_EXAMPLE,
  EditLinkRequest: { url: URL_EXAMPLE, title: null },
  BatchRequest: { urls: [LINK_EXAMPLE, { url: URL_EXAMPLE }] },
};

export function reference(name: ComponentName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the JSON Schemas (draft 2020-12) of all request and response bodies, by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...convert(REQUESTS, 'input'), ...convert(RESPONSES, 'output') };
}

function convert(bodies: Record<string, z.ZodMiniObject>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(bodies)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: simplify });
  const converted = Object.entries(schemas).map(([id, schema]) => {
    const { $schema: _, $id: __, ...rest } = schema as JsonSchema;
    return [id, EXAMPLES[id] ? { ...rest, examples: [EXAMPLES[id]] } : rest];
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
