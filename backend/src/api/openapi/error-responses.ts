import { ERROR_STATUS, type ErrorCode, HEADER } from '@terse/contract';
import { messageOf } from '../../http/api-error.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Content, Operation } from './describe-endpoint.ts';
import { ErrorAnswer, type JsonSchema, reference } from './schemas.ts';

type Access = Endpoint['access'];

/** Errors that every endpoint can return. */
const COMMON: ErrorCode[] = [
  'invalid_request',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'shutting_down',
  'unavailable',
];

const SCOPED: ErrorCode[] = ['forbidden'];

const WITH_BODY: ErrorCode[] = ['invalid_json', 'body_too_large', 'unsupported_media_type'];

const BY_ACCESS: Record<Access, ErrorCode[]> = {
  open: [],
  read: ['unauthorized', 'throttled', 'internal_error'],
  create: [
    'unauthorized',
    'internal_error',
    'invalid_idempotency_key',
    'idempotency_key_reused',
    'throttled',
    'quota_exceeded',
  ],
};

const RATE_LIMITS = {
  [HEADER.rateLimitPolicy]: header('The limits of this key: `q` requests in `w` seconds.', {
    create: '"throttle";q=1;w=1, "quota";q=20;w=86400',
    read: '"reads";q=20;w=2',
  }),
  [HEADER.rateLimit]: header('What is left of them: `r` requests. The limit resets in `t` seconds.', {
    create: '"throttle";r=0;t=1, "quota";r=7;t=40211',
    read: '"reads";r=19;t=1',
  }),
};

/** Documents all responses of an endpoint, by HTTP status. */
export function responses(
  { access, scope }: Pick<Endpoint, 'access' | 'scope'>,
  { success, body, errors = [] }: Operation,
): Record<string, unknown> {
  const codes = new Set([
    ...errors,
    ...(body ? WITH_BODY : []),
    ...(scope ? SCOPED : []),
    ...BY_ACCESS[access],
    ...COMMON,
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  const successHeaders = Object.entries(success.headers ?? {}).map(([name, { description, example }]) => [
    name,
    { description, required: true, schema: { type: 'string' }, example },
  ]);
  return {
    [success.status]: {
      description: success.description,
      ...headersOf({
        ...Object.fromEntries(successHeaders),
        ...(access === 'create' ? REPLAYED : {}),
        ...statusHeaders(access, success.status),
      }),
      ...(success.content ? jsonContent(success.content) : {}),
    },
    ...Object.fromEntries(
      [...byStatus]
        .toSorted(([one], [other]) => one - other)
        .map(([status, group]) => [status, errorResponse(access, status, group)]),
    ),
  };
}

export function jsonContent({ schema, examples }: Content): { content: JsonSchema } {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { content: { 'application/json': { schema: reference(schema), examples: Object.fromEntries(named) } } };
}

function errorResponse(access: Access, status: number, codes: ErrorCode[]): JsonSchema {
  const examples = Object.fromEntries(codes.map((code) => [code, { error: messageOf(code), code }]));
  return {
    description: `${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...headersOf(statusHeaders(access, status)),
    ...jsonContent({ schema: ErrorAnswer, examples }),
  };
}

const REPLAYED = {
  [HEADER.idempotencyReplayed]: {
    description: '`true` if this is the response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
};

const RETRY_AFTER = {
  [HEADER.retryAfter]: {
    description: 'Whole seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
};

const CHALLENGE = {
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750, section 3).',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="terse"',
  },
};

const SCOPE = {
  'WWW-Authenticate': {
    description: 'The scope that is needed (RFC 6750, section 3.1).',
    schema: { type: 'string' },
    example: 'Bearer realm="terse", error="insufficient_scope", scope="manage"',
  },
};

const ALLOW = {
  Allow: {
    description: 'The methods that the path accepts.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
};

/**
 * HTTP statuses that are always sent before the API key is identified. These responses have no rate limit headers,
 * because the limits depend on the key.
 */
const BEFORE_AUTHENTICATION = new Set([408, 431]);

/**
 * HTTP statuses that can be sent before the API key is identified or while the database is unavailable. These
 * responses can lack rate limit headers.
 */
const MAYBE_BEFORE_AUTHENTICATION = new Set([400, 500, 503]);

function statusHeaders(access: Access, status: number): JsonSchema {
  if (status === 401) return CHALLENGE;
  if (status === 405) return ALLOW;
  const retryAfter = status === 429 || status === 503 ? RETRY_AFTER : {};
  if (access === 'open' || BEFORE_AUTHENTICATION.has(status)) return retryAfter;
  const isRequired = !MAYBE_BEFORE_AUTHENTICATION.has(status);
  const limits = Object.entries(RATE_LIMITS).map(([name, make]) => [name, make(access, isRequired)]);
  return { ...retryAfter, ...(status === 403 ? SCOPE : {}), ...Object.fromEntries(limits) };
}

function header(description: string, examples: Record<'create' | 'read', string>) {
  return (access: 'create' | 'read', required: boolean): JsonSchema => ({
    description,
    required,
    schema: { type: 'string' },
    example: examples[access],
  });
}

function headersOf(headers: JsonSchema): { headers?: JsonSchema } {
  return Object.keys(headers).length > 0 ? { headers } : {};
}
