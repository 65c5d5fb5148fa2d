import type { NewCodes } from '@terse/contract/service-capabilities';
import { capabilitiesOf, needsCodes, shortBaseUrlOf } from '../services/connection-capabilities.ts';
import type { Connection, Link, Queue, Request } from './types.ts';

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

/** Maximum number of generated codes per request. If all of them are taken, the server chooses the code. */
const MAX_TAKEN = 2;

/**
 * Maximum number of generated codes that are tried if the server cannot choose a code. If all of them are taken, the
 * request fails.
 */
const MAX_TAKEN_WITHOUT_CHOICE = 5;

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
  return codes ? { ...request, minted: { code: generateCode(codes, randomBytes), taken: 0 } } : request;
}

export function withoutCode(request: Request): Request {
  const { minted, ...rest } = request;
  return minted ? rest : request;
}

/**
 * Adds missing short codes to requests if the server requires the extension to choose the code. A code is missing if
 * the request was added for another server or before the server's features were known.
 */
export function withNeededCodes(queue: Queue, requestIds: string[], randomBytes: RandomBytes): Queue {
  if (!needsCodes(queue.connection)) return queue;
  const isMissing = ({ id, minted }: Request) => requestIds.includes(id) && !minted;
  if (!queue.requests.some(isMissing)) return queue;
  const requests = queue.requests.map((request) =>
    isMissing(request) ? withCode(request, queue.connection, randomBytes) : request,
  );
  return { ...queue, requests };
}

/** Adds short codes to requests that have never been sent, such as requests from a deleted connection. */
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
 * Replaces the short code of a request if the code is already taken. The request fails if the user chose the code, or
 * if too many generated codes were taken.
 */
export function withOtherCode(request: Request, connection: Connection, generation: CodeGeneration): Request {
  const taken = (request.minted?.taken ?? 0) + 1;
  if (request.minted && taken < MAX_TAKEN_WITHOUT_CHOICE) return regenerateCode(request, connection, generation);
  return { ...request, state: 'failed', problem: { code: 'short_code_taken', message: '' } };
}

/**
 * Replaces a request after the server refused its generated short code. The new request has another code. If too many
 * codes were refused, the new request has no code and the server chooses one.
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
  const isLast = taken >= MAX_TAKEN && !needsCodes(connection);
  const { minted } = isLast ? fresh : withCode(fresh, connection, randomBytes);
  return minted ? { ...fresh, minted: { ...minted, taken } } : fresh;
}

/**
 * Returns the short URL that a waiting request will get. Returns null if the short URL cannot be predicted, for
 * example because the server chooses the code.
 */
export function promisedShortUrl(request: Request, connection: Connection | null): string | null {
  const { minted, state } = request;
  const { service } = connection ?? {};
  const domain = connection && domainOf(request, connection);
  const base = URL.parse(service ? shortBaseUrlOf(service, domain ?? undefined) : '');
  if (!minted || !base || !connection || state === 'failed' || state === 'undecided') return null;
  if (!codesOf(connection) || capabilitiesOf(connection).reusesLinks) return null;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/${minted.code}`;
}

/** Returns the domain on which a request's link is created, or null for the server's default. */
export function domainOf({ domain, attempts }: Request, connection: Connection): string | null {
  if (domain !== undefined) return domain;
  // If the request was already sent but has no stored domain, an earlier version sent it to the default domain.
  return attempts > 0 ? null : (connection.domain ?? null);
}

/** Records that the user copied a short URL or showed its QR code before the link existed. */
export function markShortUrlUsed(queue: Queue, id: string, shortUrl: string): Queue {
  const isTarget = (request: Request) => request.id === id && request.handedOut !== shortUrl;
  if (!queue.requests.some(isTarget)) return queue;
  const { connection } = queue;
  const requests = queue.requests.map((request): Request => {
    if (!isTarget(request)) return request;
    const isPromised = promisedShortUrl(request, connection) === shortUrl;
    return { ...request, ...(isPromised && { domain: domainOf(request, connection) }), handedOut: shortUrl };
  });
  return { ...queue, requests };
}

/**
 * Returns the link properties `handedOut` and `replaces`, which record that the user copied a short URL before the
 * link existed.
 */
export function wasShortUrlUsed(shortUrl: string, handedOut: string | undefined): Pick<Link, 'handedOut' | 'replaces'> {
  if (handedOut === undefined) return {};
  const isOther = URL.parse(handedOut)?.href !== URL.parse(shortUrl)?.href;
  return { handedOut: true, ...(isOther && { replaces: handedOut }) };
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
