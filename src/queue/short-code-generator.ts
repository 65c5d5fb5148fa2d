import type { NewCodes } from '@terse/contract/service-capabilities';
import { capabilitiesOf, needsCodes, shortBaseUrlOf } from '../servers/capabilities.ts';
import type { Connection, Queue, Request } from './types.ts';

/*
 * Generates short codes in the extension. If the server accepts these codes, the user can copy a short URL before the
 * server has created the link.
 */

/** Returns `count` cryptographically secure random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

export interface CodeGeneration {
  newKey: () => string;
  randomBytes: RandomBytes;
}

/**
 * Generates a short code. Random bytes that would favor some symbols are discarded, so that all symbols are equally
 * likely.
 */
export function generateCode({ alphabet, length }: NewCodes, randomBytes: RandomBytes): string {
  const fair = 256 - (256 % alphabet.length);
  let code = '';
  while (code.length < length) {
    for (const byte of randomBytes(length - code.length)) if (byte < fair) code += alphabet[byte % alphabet.length];
  }
  return code;
}

/**
 * Returns the alphabet and length of generated codes, or null if the extension must not generate codes for the
 * server.
 */
export function codesOf(connection: Connection): NewCodes | null {
  return capabilitiesOf(connection).generatedCode;
}

/**
 * Adds a generated short code to a request, if the server accepts generated codes and the user has not chosen a code.
 */
export function withCode(request: Request, connection: Connection, randomBytes: RandomBytes): Request {
  const codes = request.options.shortCode === null && codesOf(connection);
  return codes ? { ...request, generatedCode: generateCode(codes, randomBytes) } : request;
}

export function withoutCode(request: Request): Request {
  const { generatedCode, ...rest } = request;
  return generatedCode === undefined ? request : rest;
}

/**
 * Adds missing short codes to requests if the server requires the extension to choose the code. A code is missing if
 * the request was added for another server or before the server's features were known.
 */
export function withNeededCodes(queue: Queue, requestIds: string[], randomBytes: RandomBytes): Queue {
  if (!needsCodes(queue.connection)) return queue;
  const isMissing = ({ id, generatedCode }: Request) => requestIds.includes(id) && !generatedCode;
  if (!queue.requests.some(isMissing)) return queue;
  const requests = queue.requests.map((request) =>
    isMissing(request) ? withCode(request, queue.connection, randomBytes) : request,
  );
  return { ...queue, requests };
}

/** Adds short codes to requests that have never been sent, for example after the server address has changed. */
export function generateMissingCodes(queue: Queue, randomBytes: RandomBytes): Queue {
  const attempted = new Set(queue.attempts.flatMap(({ requestIds }) => requestIds));
  const isFresh = ({ id, state, attempts, generatedCode }: Request) =>
    state === 'waiting' && attempts === 0 && !generatedCode && !attempted.has(id);
  const requests = queue.requests.map((request) =>
    isFresh(request) ? withCode(request, queue.connection, randomBytes) : request,
  );
  return requests.every((request, index) => request === queue.requests[index]) ? queue : { ...queue, requests };
}

/**
 * Prepares a request whose generated code was taken for another try. The server chooses the new code, if it can.
 */
export function withOtherCode(request: Request, connection: Connection, randomBytes: RandomBytes): Request {
  const rest = withoutCode(request);
  return needsCodes(connection) ? withCode(rest, connection, randomBytes) : rest;
}

/**
 * Returns the short URL that a waiting request will get. Returns null if the short URL cannot be predicted, for
 * example because the server chooses the code.
 */
export function promisedShortUrl(request: Request, connection: Connection): string | null {
  const { generatedCode, state } = request;
  const { service } = connection;
  const domain = domainOf(request, connection) ?? undefined;
  const base = URL.parse(service ? shortBaseUrlOf(service, domain) : '');
  if (!generatedCode || !base || state === 'failed' || state === 'uncertain') return null;
  if (!codesOf(connection) || capabilitiesOf(connection).reusesLinks) return null;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/${generatedCode}`;
}

/** Returns the domain on which a request's link is created, or null for the server's default. */
export function domainOf({ domain }: Request, connection: Connection): string | null {
  return domain === undefined ? (connection.domain ?? null) : domain;
}

/**
 * Number of random bytes to fetch at once. Fetching many bytes in one browser call takes as long as fetching a few.
 */
const BYTES_PER_DRAW = 1_024;

let unused = new Uint8Array();

/** Returns cryptographically secure random bytes from a buffer. Each byte is used only once. */
export function randomBytes(count: number): Uint8Array {
  if (unused.length < count) unused = crypto.getRandomValues(new Uint8Array(count + BYTES_PER_DRAW));
  const bytes = unused.slice(0, count);
  unused = unused.subarray(count);
  return bytes;
}
