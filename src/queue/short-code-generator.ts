import { FEATURE, type NewCodes } from '@terse/contract/service-capabilities';
import { hasFeature, isIdempotent } from '../services/service-adapter.ts';
import type { Connection, Link, Queue, Request } from './types.ts';

/*
 * Generates short codes in the extension. If the service accepts them, a request has its short URL as soon as it is
 * accepted.
 */

/** Returns `count` bytes from a cryptographically secure random source. */
export type RandomBytes = (count: number) => Uint8Array;

/** Sources of the idempotency keys and short codes of new requests. */
export interface CodeGeneration {
  newKey: () => string;
  randomBytes: RandomBytes;
}

/**
 * Maximum number of generated codes that may be taken. After that, the service chooses the code, so that a request
 * costs at most three sends.
 */
const MAX_TAKEN = 2;

/**
 * Generates a short code. Bytes that would favor the first symbols are skipped, so that all symbols are equally likely.
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
 * Returns the alphabet and length of codes that the service accepts. Null if it accepts none. Without idempotency, a
 * code that is taken could also be our own after a lost response, so none is sent.
 */
export function codesOf(connection: Connection): NewCodes | null {
  const takesCodes =
    hasFeature(connection, FEATURE.chosenCodes) && hasFeature(connection, FEATURE.links) && isIdempotent(connection);
  return (takesCodes && connection.service?.codes) || null;
}

/** Adds a generated code if the service accepts one and the user chose none. */
export function withCode(request: Request, connection: Connection, randomBytes: RandomBytes): Request {
  const codes = request.options.shortCode === null && codesOf(connection);
  return codes ? { ...request, minted: { code: generateCode(codes, randomBytes), taken: 0 } } : request;
}

/** Removes the generated code. */
export function withoutCode(request: Request): Request {
  const { minted, ...rest } = request;
  return minted ? rest : request;
}

/** Adds codes to requests that were never sent, such as those from another connection. */
export function generateMissingCodes(queue: Queue, randomBytes: RandomBytes): Queue {
  const attempted = new Set(queue.attempts.flatMap(({ requestIds }) => requestIds));
  const isFresh = ({ id, state, attempts, minted }: Request) =>
    state === 'waiting' && attempts === 0 && !minted && !attempted.has(id);
  const requests = queue.requests.map((request) =>
    isFresh(request) ? withCode(request, queue.connection, randomBytes) : request,
  );
  return requests.every((request, index) => request === queue.requests[index]) ? queue : { ...queue, requests };
}

/**
 * Returns the request after the service refused its generated code: as a new request with another code, or without one.
 */
export function regenerateCode(
  request: Request,
  connection: Connection,
  { newKey, randomBytes }: CodeGeneration,
): Request {
  const taken = (request.minted?.taken ?? 0) + 1;
  const fresh: Request = {
    ...withoutCode(request),
    state: 'waiting',
    attempts: 0,
    idempotencyKey: newKey(),
    problem: null,
  };
  const { minted } = taken >= MAX_TAKEN ? fresh : withCode(fresh, connection, randomBytes);
  return minted ? { ...fresh, minted: { ...minted, taken } } : fresh;
}

/**
 * Returns the short URL that a request will have. Null if it cannot be promised: the service or the user chooses the
 * code, or the request may never be sent.
 */
export function promisedShortUrl({ minted, state }: Request, connection: Connection | null): string | null {
  const { service } = connection ?? {};
  const base = service && URL.parse(service.shortBaseUrl);
  if (!minted || !base || !connection || !codesOf(connection) || state === 'failed' || state === 'undecided')
    return null;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/${minted.code}`;
}

/** Notes that the user copied a short URL, or showed it as a QR code, before it worked. */
export function markShortUrlUsed(queue: Queue, id: string, shortUrl: string): Queue {
  const isTarget = (request: Request) => request.id === id && request.handedOut !== shortUrl;
  if (!queue.requests.some(isTarget)) return queue;
  const requests = queue.requests.map((request) => (isTarget(request) ? { ...request, handedOut: shortUrl } : request));
  return { ...queue, requests };
}

/** Returns the fields of a link that tell which short URL the user copied before it worked. */
export function wasShortUrlUsed(shortUrl: string, handedOut: string | undefined): Pick<Link, 'handedOut' | 'replaces'> {
  if (handedOut === undefined) return {};
  const isOther = URL.parse(handedOut)?.href !== URL.parse(shortUrl)?.href;
  return { handedOut: true, ...(isOther && { replaces: handedOut }) };
}

/** Number of bytes that are drawn at once, because each call of the browser takes the same time. */
const BYTES_PER_DRAW = 1_024;

let unused = new Uint8Array();

/** Returns random bytes of the browser. Each byte is used once. */
export function randomBytes(count: number): Uint8Array {
  if (unused.length < count) unused = crypto.getRandomValues(new Uint8Array(count + BYTES_PER_DRAW));
  const bytes = unused.slice(0, count);
  unused = unused.subarray(count);
  return bytes;
}
