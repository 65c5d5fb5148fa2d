import {
  CreateLinkRequest,
  EditLinkRequest,
  type ErrorCode,
  INVALID_URL_MESSAGE,
  parseDateTime,
  ShortenRequest,
} from '@terse/contract';
import type { HonoRequest } from 'hono';
import type * as z from 'zod/mini';
import {
  type LinkInput,
  type LinkProblems,
  type TargetRules,
  urlProblem,
  validateEdit,
  validateLink,
  validateTarget,
} from '../domain/links/link-rules.ts';
import type { LinkEdit, NewLink } from '../domain/links/stored-link.ts';
import { ApiError } from '../http/api-error.ts';
import type { Services } from './services.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads the body of a JSON request. If the headers show that the body is too large or has an unsupported type,
 * rejects the request without reading the body.
 *
 * @throws ApiError `request_timeout` if the connection was closed before the whole body arrived
 */
export async function readBody(request: HonoRequest): Promise<Uint8Array> {
  const type = request.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ApiError('unsupported_media_type');
  const encoding = request.header('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    const message = 'The request body must not be compressed.';
    throw new ApiError('unsupported_media_type', { message, headers: { 'Accept-Encoding': 'identity' } });
  }
  const length = request.header('Content-Length');
  if (length !== undefined && Number(length) > MAX_BODY_BYTES) throw new ApiError('body_too_large');
  try {
    // Node's HTTP parser ensures that a body is not longer than its `Content-Length`. Only a request without this
    // header can still exceed the size limit.
    return length === undefined ? await readLimited(request.raw.body) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('request_timeout');
  }
}

async function readLimited(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ApiError `invalid_json` if the bytes are not UTF-8 or not JSON */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ApiError('invalid_json');
  }
}

type LinkServices = Pick<Services, 'clock' | 'random' | 'targets' | 'shortBaseUrls' | 'foldsCase'>;

const NOT_A_LINK = 'A link must be a JSON object with a "url".';
const NOT_A_CHOICE = '"forwardQuery" must be true, false or null.';

/**
 * Validates the body of `POST /api/shorten`. Ignores all fields except `url`.
 *
 * @throws ApiError with the same message for all invalid URLs, as the specification requires
 */
export function parseShortenRequest(body: unknown, services: LinkServices): NewLink {
  const { url } = parse(ShortenRequest, body, NOT_A_LINK);
  try {
    return parseNewLink({ url }, services);
  } catch (error) {
    throw error instanceof ApiError ? new ApiError(error.code) : error;
  }
}

/**
 * Validates a link that a client wants to create. Ignores unknown fields.
 *
 * @throws ApiError for the first invalid field
 */
export function parseNewLink(body: unknown, services: LinkServices): NewLink {
  const { url, shortCode, domain, title, expiresAt, forwardQuery, tags } = parse(CreateLinkRequest, body, NOT_A_LINK);
  const input: LinkInput = {
    url,
    code: shortCode ?? null,
    domain: domain ?? '',
    title: title ?? null,
    expiresAt: parseExpiry(expiresAt ?? null),
    forwardQuery: forwardQuery ?? null,
    tags: tags ?? [],
  };
  const validated = validateLink(input, services, services.clock());
  if ('link' in validated) return validated.link;
  throw linkError(validated.problems, url, services.targets);
}

const EDITABLE = Object.keys(EditLinkRequest.shape);

/**
 * Validates changes of a link. Rejects a body that contains only unknown fields, because the client probably misspelled
 * a field name.
 *
 * @throws ApiError for the first invalid field
 */
export function parseEdit(body: unknown, { clock, targets }: Pick<LinkServices, 'clock' | 'targets'>): LinkEdit {
  const message = `An edit must be a JSON object with at least one of these fields: ${EDITABLE.join(', ')}.`;
  const { url, title, expiresAt, forwardQuery, tags } = parse(EditLinkRequest, body, message);
  // Reads the field names from the original object, because Zod's copy omits `__proto__`.
  const fields = Object.keys(body as object);
  if (fields.length > 0 && !fields.some((field) => EDITABLE.includes(field))) {
    throw new ApiError('invalid_request', { message });
  }
  const input = { url, title, expiresAt: parseExpiry(expiresAt), forwardQuery, tags: tags === null ? [] : tags };
  const { edit, problems } = validateEdit(input, targets, clock());
  if (Object.keys(problems).length > 0) throw linkError(problems, url, targets);
  return edit;
}

function parseExpiry<Absent extends null | undefined>(text: string | Absent): number | 'invalid' | Absent {
  return typeof text === 'string' ? (parseDateTime(text) ?? 'invalid') : text;
}

/**
 * Error code for each field of a link. If several fields are invalid, the first field in this order determines the
 * error.
 */
const ERROR_BY_FIELD = {
  url: 'invalid_url',
  shortCode: 'invalid_short_code',
  code: 'invalid_short_code',
  domain: 'invalid_domain',
  expiresAt: 'invalid_expiry',
  title: 'invalid_title',
  tags: 'invalid_tags',
} as const satisfies Record<string, ErrorCode>;

/**
 * Returns the error for the first invalid field.
 *
 * @param message message if none of the fields is a field of a link
 */
function fieldError(fields: Iterable<unknown>, message: string): ApiError {
  const invalid = new Set(fields);
  const [, code] = Object.entries(ERROR_BY_FIELD).find(([field]) => invalid.has(field)) ?? [];
  if (code) return new ApiError(code);
  return new ApiError('invalid_request', { message: invalid.has('forwardQuery') ? NOT_A_CHOICE : message });
}

/** @param message message if the body is not an object with these fields */
function parse<Schema extends z.ZodMiniObject>(schema: Schema, body: unknown, message: string): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.error) return parsed.data;
  throw fieldError(
    parsed.error.issues.map(({ path }) => path[0]),
    message,
  );
}

/** Returns the error for the first invalid field. A URL that this service blocks has a separate error code. */
function linkError(problems: LinkProblems, url: string | undefined, targets: TargetRules): ApiError {
  const target = url === undefined ? null : validateTarget(url, targets);
  if (!target || 'href' in target) return fieldError(Object.keys(problems), NOT_A_LINK);
  const { refused } = target;
  if (refused === 'target_refused') return new ApiError(refused);
  // The specification has one message for all texts that are not http or https URLs.
  const message = refused === 'other_scheme' ? INVALID_URL_MESSAGE : urlProblem(refused, targets);
  return new ApiError('invalid_url', { message });
}
