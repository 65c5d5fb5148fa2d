import { BatchRequest, HEADER, IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';
import * as z from 'zod/mini';
import { type ComponentName, OPERATIONS, type Operation, REQUESTS, RESPONSES, TAGS } from '../operations.ts';
import type { Services } from '../services.ts';

/** Returns the OpenAPI 3.1 document of all operations, with the schemas that validate requests. */
export function openApiDocument({ baseUrl, version }: Pick<Services, 'baseUrl' | 'version'>): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(id, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Terse',
      summary: 'A URL shortening service.',
      description: DESCRIPTION,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a Bearer token.' },
        apiKey: { type: 'apiKey', in: 'header', name: HEADER.apiKey, description: 'The API key in a separate header.' },
      },
      schemas: { ...convert(REQUESTS, 'input'), ...convert(RESPONSES, 'output') },
    },
  };
}

function describe(id: string, operation: Operation): JsonSchema {
  const { key, tag, summary, description, parameters = {}, body } = operation;
  const scopes = key === 'any' || key === 'none' ? [] : [key];
  const all = [
    ...describeParameters('path', parameters.path),
    ...describeParameters('query', parameters.query),
    ...(key === 'create' ? [IDEMPOTENCY_PARAMETER] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: key === 'none' ? [] : [{ bearer: scopes }, { apiKey: scopes }],
    ...(all.length > 0 && { parameters: all }),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responses(operation),
  };
}

function describeParameters(location: 'path' | 'query', parameters: z.ZodMiniObject | undefined): JsonSchema[] {
  if (!parameters) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input', override: simplify });
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    required: required.includes(name),
    description,
    schema,
  }));
}

function jsonContent(name: ComponentName): JsonSchema {
  return { 'application/json': { schema: reference(name) } };
}

/** Documents the successful response of an operation, and its errors, which all have the same format. */
function responses({ success: { status, description, body } }: Operation): JsonSchema {
  return {
    [status]: { description, ...(body && { content: jsonContent(body) }) },
    '4XX': { description: 'The request was refused. The code says why.', content: jsonContent('Error') },
    '5XX': { description: 'The service failed or is unavailable.', content: jsonContent('Error') },
  };
}

const IDEMPOTENCY_PARAMETER = {
  name: HEADER.idempotencyKey,
  in: 'header',
  description: 'Makes it safe to retry the request: 1 to 255 visible ASCII characters, such as a UUID.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN.source },
};

const DESCRIPTION = `Short links for programs.

**Keys.** Every request needs an API key, except those marked as open. Send it as \`Authorization: Bearer <key>\` or as
\`X-API-Key: <key>\`. Account holders create keys in the dashboard and choose the scopes of each key: \`create\` links, \`read\` links and
their clicks, \`manage\` (edit and delete) links. A key can also be restricted to the links that it created itself. A request without
the needed scope is answered with 403, and a link that the key may not see with 404.

**Limits.** The three endpoints that create links share a throttle and a daily quota per key. All other endpoints have a separate
throttle. The headers \`RateLimit\` and \`RateLimit-Policy\` report what is left. Every 429 has a \`Retry-After\`.

**Retries.** A request that creates links can have an \`Idempotency-Key\`. If it is sent again within 30 days with the same key and the
same body to the same endpoint, nothing new is created. The response is the first one again, with \`Idempotency-Replayed: true\`.`;

type JsonSchema = Record<string, unknown>;

const URL_EXAMPLE = 'https://en.wikipedia.org/wiki/Otter';
const LINK_EXAMPLE = { url: URL_EXAMPLE, shortCode: 'otters', title: 'All about otters' };

/** Examples of request bodies. The documentation page enters them into its forms. */
const EXAMPLES: Record<string, object> = {
  ShortenRequest: { url: URL_EXAMPLE },
  CreateLinkRequest: LINK_EXAMPLE,
  EditLinkRequest: { url: URL_EXAMPLE, title: null },
  BatchRequest: { urls: [LINK_EXAMPLE, { url: URL_EXAMPLE }] },
};

function reference(name: ComponentName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the JSON Schemas (draft 2020-12) of request or response bodies, by name. */
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
function simplify({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.additionalProperties;
  // The schema that validates a batch accepts any items, because each item is validated separately. The documentation
  // shows the schema of a valid item instead.
  if (zodSchema === BatchRequest.shape.urls) jsonSchema.items = reference('BatchItem');
}
