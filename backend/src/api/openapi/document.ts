import { BatchRequest, HEADER, IDEMPOTENCY_KEY_PATTERN, type KeyScope } from '@terse/contract';
import * as z from 'zod/mini';
import type { Endpoint, Services } from '../endpoint.ts';
import { answered, type Parameters, TAGS } from './describe-endpoint.ts';
import { jsonContent, responses } from './error-responses.ts';
import { type About, ANSWERS, BatchItem, OpenApiDocument, REQUESTS } from './schemas.ts';

export type JsonSchema = Record<string, unknown>;

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
  // The schema that validates a batch takes items of any shape, since each is validated by itself.
  if (zodSchema === BatchRequest.shape.urls) jsonSchema.items = reference(BatchItem);
}

const DESCRIPTION = `Short links, made and read by programs.

**Keys.** Every request but the few marked open bears an API key, as \`Authorization: Bearer <key>\` or as
\`X-API-Key: <key>\`; both are taken everywhere. The account holder makes them in the dashboard, and chooses there
what each may do: \`create\` links, \`read\` them and who clicks, \`manage\` them, and whether it sees no links but its own.
What a key may not do answers 403; a link that it may not see, 404.

**Limits.** The three endpoints that create links share a throttle and a daily quota per key; a batch is one request.
Reads, edits and deletes have a throttle of their own and cost the quota nothing. \`RateLimit\` and \`RateLimit-Policy\` tell
where a key stands, and every 429 has a \`Retry-After\`.

**Errors.** Every answer of 4xx and 5xx is JSON with a sentence for people, \`error\`, and a stable word for programs,
\`code\`. A path that does not exist answers 404, and one that does not take a method 405 with \`Allow\`. Every path
that takes GET takes HEAD.

**Sending again.** A creating request may bear an \`Idempotency-Key\`. Sent again within thirty days with the same key
and the same body, it makes nothing new and gets the first answer again, with \`Idempotency-Replayed: true\`.`;

const IDEMPOTENCY_PARAMETER = {
  name: HEADER.idempotencyKey,
  in: 'header',
  description: 'Makes it safe to send the request again: 1 to 255 visible ASCII characters, a UUID for example.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN.source },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

/** A key by either header, with the scope it needs. */
function security(scope: KeyScope | null): JsonSchema[] {
  const scopes = scope === null ? [] : [scope];
  return [{ bearer: scopes }, { apiKey: scopes }];
}

/** The API's description (OpenAPI 3.1), made of the endpoints themselves and of the schemas they validate with. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { baseUrl, version }: Pick<Services, 'baseUrl' | 'version'>,
): JsonSchema {
  const described = endpoints.filter(({ doc }) => doc !== null);
  const paths = Map.groupBy(described, ({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  const used = new Set(described.map(({ doc }) => doc?.tag));
  const tags = Object.entries(TAGS).filter(([name]) => used.has(name as keyof typeof TAGS));
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
    tags: tags.map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      [...paths].map(([path, methods]) => [
        path,
        Object.fromEntries(methods.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint)])),
      ]),
    ),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a Bearer token.' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: HEADER.apiKey,
          description: 'The API key in a header of its own.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

function operation(endpoint: Endpoint): JsonSchema {
  const { access, scope, doc } = endpoint;
  if (!doc) return {};
  const { id, tag, summary, description, path, query, body } = doc;
  const all = [
    ...parameters('path', path),
    ...parameters('query', query),
    ...(access === 'create' ? [IDEMPOTENCY_PARAMETER] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: access === 'open' ? [] : security(scope),
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body ? { requestBody: { required: true, ...jsonContent(body) } } : {}),
    responses: responses(endpoint, doc),
  };
}

function parameters(location: 'path' | 'query', given: Parameters | undefined): JsonSchema[] {
  if (!given) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(given.schema, { io: 'input', override: plain });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: required.includes(name),
    ...given.about[name],
    schema,
  }));
}

/** `GET /openapi.json`: the description of the endpoints given, and of itself. */
export function openApiEndpoint(services: Services, others: readonly Endpoint[]): Endpoint {
  let document: string | null = null;
  const endpoint: Endpoint = {
    method: 'GET',
    path: '/openapi.json',
    access: 'open',
    scope: null,
    doc: {
      id: 'describe',
      tag: 'Service',
      summary: 'Describe the API',
      description: 'This document. It is made of the same schemas that the service validates requests with.',
      success: {
        status: 200,
        description: 'The OpenAPI document.',
        content: answered(OpenApiDocument, { document: { openapi: '3.1.0' } }),
      },
    },
    handle() {
      document ??= JSON.stringify(openApiDocument([...others, endpoint], services));
      return new Response(document, { headers: { 'Content-Type': 'application/json' } });
    },
  };
  return endpoint;
}
