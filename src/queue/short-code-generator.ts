import { FEATURE, type NewCodes } from '@terse/contract/service-capabilities';
import { hasFeature, isIdempotent } from '../services/service-adapter.ts';
import type { Connection, Link, Queue, Request } from './types.ts';

/*
 * Short codes that are made here. Where a service takes them, a request has its short URL from the moment it is accepted,
 * whatever keeps it from being sent.
 */

/** So many bytes of a cryptographically secure random source. */
export type RandomBytes = (count: number) => Uint8Array;

/** What requests are given as they are accepted: idempotency keys, and the chance that codes are made of. */
export interface CodeGeneration {
  newKey: () => string;
  randomBytes: RandomBytes;
}

/** After so many minted codes that somebody else has, the service makes one up: a request spends three units at most. */
const MOST_TAKEN = 2;

/** A code for a new link, each symbol as likely as any other: bytes that would favour the first ones are thrown away. */
export function generateCode({ alphabet, length }: NewCodes, randomBytes: RandomBytes): string {
  const fair = 256 - (256 % alphabet.length);
  let code = '';
  while (code.length < length) {
    for (const byte of randomBytes(length - code.length)) if (byte < fair) code += alphabet[byte % alphabet.length];
  }
  return code;
}

/**
 * The form of the codes that a service takes from here; null where it takes none. One that honours no idempotency keys
 * could not tell a code that somebody else has from one that an answer was lost of.
 */
export function codesOf(connection: Connection): NewCodes | null {
  const takesCodes =
    hasFeature(connection, FEATURE.chosenCodes) && hasFeature(connection, FEATURE.links) && isIdempotent(connection);
  return (takesCodes && connection.service?.codes) || null;
}

/** The request with a code of its own, where the service takes one and the person chose none. */
export function withCode(request: Request, connection: Connection, randomBytes: RandomBytes): Request {
  const codes = request.options.shortCode === null && codesOf(connection);
  return codes ? { ...request, minted: { code: generateCode(codes, randomBytes), taken: 0 } } : request;
}

/** The request without a code that was minted for it, which the service it goes to takes no more. */
export function withoutCode(request: Request): Request {
  const { minted, ...rest } = request;
  return minted ? rest : request;
}

/** Gives a code to whatever has never been sent and has none: what came from another connection. */
export function generateMissingCodes(queue: Queue, randomBytes: RandomBytes): Queue {
  const attempted = new Set(queue.attempts.flatMap(({ requestIds }) => requestIds));
  const isFresh = ({ id, state, attempts, minted }: Request) =>
    state === 'waiting' && attempts === 0 && !minted && !attempted.has(id);
  const requests = queue.requests.map((request) =>
    isFresh(request) ? withCode(request, queue.connection, randomBytes) : request,
  );
  return requests.every((request, index) => request === queue.requests[index]) ? queue : { ...queue, requests };
}

/** A request whose minted code the service refused: it waits again, as a new one, under another code or none. */
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
  const { minted } = taken >= MOST_TAKEN ? fresh : withCode(fresh, connection, randomBytes);
  return minted ? { ...fresh, minted: { ...minted, taken } } : fresh;
}

/**
 * The short URL that a request will have as soon as it is sent; null where that cannot be promised: the service makes the
 * code up, the person chose one that somebody may have, or nobody knows whether it is sent at all.
 */
export function promisedShortUrl({ minted, state }: Request, connection: Connection | null): string | null {
  const { service } = connection ?? {};
  const base = service && URL.parse(service.shortBaseUrl);
  if (!minted || !base || !connection || !codesOf(connection) || state === 'failed' || state === 'undecided')
    return null;
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}/${minted.code}`;
}

/** Notes that the person has a short URL that does not work yet: copied, or shown as a QR code. */
export function markShortUrlUsed(queue: Queue, id: string, shortUrl: string): Queue {
  const isNews = (request: Request) => request.id === id && request.handedOut !== shortUrl;
  if (!queue.requests.some(isNews)) return queue;
  const requests = queue.requests.map((request) => (isNews(request) ? { ...request, handedOut: shortUrl } : request));
  return { ...queue, requests };
}

/** What a link keeps of what was handed out before it worked. */
export function wasShortUrlUsed(shortUrl: string, handedOut: string | undefined): Pick<Link, 'handedOut' | 'replaces'> {
  if (handedOut === undefined) return {};
  const isOther = URL.parse(handedOut)?.href !== URL.parse(shortUrl)?.href;
  return { handedOut: true, ...(isOther && { replaces: handedOut }) };
}

/** Asking the browser takes as long for so many bytes as for one. */
const DRAWN = 1_024;

let unused = new Uint8Array();

/** So many bytes of the browser's cryptographically secure random source, each given out once. */
export function randomBytes(count: number): Uint8Array {
  if (unused.length < count) unused = crypto.getRandomValues(new Uint8Array(count + DRAWN));
  const given = unused.slice(0, count);
  unused = unused.subarray(count);
  return given;
}
