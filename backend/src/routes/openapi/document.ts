import { HEADER, IDEMPOTENCY_KEY_PATTERN, type KeyScope } from '@terse/contract';
import * as z from 'zod/mini';
import type { Endpoint, Services } from '../endpoint.ts';
import { componentSchemas, type JsonSchema, plain } from './components.ts';
import { type Parameters, TAGS } from './operation.ts';
import { jsonContent, responses } from './responses.ts';

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
