import { HEADER, IDEMPOTENCY_KEY_PATTERN, type KeyScope } from '@terse/contract';
import * as z from 'zod/mini';
import type { ApiServices, Endpoint } from '../endpoint.ts';
import { answered, type Parameters, TAGS } from './describe-endpoint.ts';
import { jsonContent, responses } from './error-responses.ts';
import { componentSchemas, type JsonSchema, OpenApiDocument, simplify } from './schemas.ts';

export function openApiEndpoint(services: ApiServices, others: readonly Endpoint[]): Endpoint {
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
      description: 'Returns this document. It is generated from the schemas with which the service validates requests.',
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

/**
 * Returns the OpenAPI 3.1 document. It is generated from the list of endpoints and from the schemas that validate
 * requests.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { baseUrl, version }: Pick<ApiServices, 'baseUrl' | 'version'>,
): JsonSchema {
  const described = endpoints.filter(({ doc }) => doc !== null);
  const paths = Map.groupBy(described, ({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  const usedTags = new Set(described.map(({ doc }) => doc?.tag));
  const tags = Object.entries(TAGS).filter(([name]) => usedTags.has(name as keyof typeof TAGS));
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
          description: 'The API key in a separate header.',
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
  const { properties = {}, required = [] } = z.toJSONSchema(given.schema, { io: 'input', override: simplify });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: required.includes(name),
    ...given.about[name],
    schema,
  }));
}

const DESCRIPTION = `Short links for programs.

**Keys.** Every request needs an API key, except those marked as open. Send it as \`Authorization: Bearer <key>\` or as
\`X-API-Key: <key>\`. Account holders create keys in the dashboard and choose the scopes of each key: \`create\` links, \`read\` links and
their clicks, \`manage\` (edit and delete) links. A key can also be restricted to the links that it created itself. A request without
the needed scope is answered with 403, and a link that the key may not see with 404.

**Limits.** The three endpoints that create links share a throttle and a daily quota per key. A batch counts as one request.
Reads, edits and deletes have a separate throttle and do not count against the quota. The headers \`RateLimit\` and \`RateLimit-Policy\`
report what is left of the limits. Every 429 has a \`Retry-After\`.

**Errors.** Every 4xx and 5xx response is JSON with a message for people, \`error\`, and a stable code for programs, \`code\`. An unknown
path is answered with 404, and an unknown method with 405 and \`Allow\`. Every path that accepts GET also accepts HEAD.

**Retries.** A request that creates links can have an \`Idempotency-Key\`. If it is sent again within 30 days with the same key and the
same body to the same endpoint, nothing new is created. The response is the first one again, with \`Idempotency-Replayed: true\`.`;

const IDEMPOTENCY_PARAMETER = {
  name: HEADER.idempotencyKey,
  in: 'header',
  description: 'Makes it safe to retry the request: 1 to 255 visible ASCII characters, such as a UUID.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN.source },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

/** Returns the two OpenAPI security schemes for API keys, with the scope that an endpoint requires. */
function security(scope: KeyScope | null): JsonSchema[] {
  const scopes = scope === null ? [] : [scope];
  return [{ bearer: scopes }, { apiKey: scopes }];
}
