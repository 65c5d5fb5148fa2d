import type { NewLink } from '../servers/adapter.ts';
import { capabilitiesOf, supportsBatches } from '../servers/capabilities.ts';
import type { Connection, Request } from './types.ts';

/**
 * Maximum total size of the items in a batch, in bytes. With this limit, the body stays below the 64 KiB that every
 * server must accept.
 */
const BATCH_BYTES = 48 * 1024;

const UTF8 = new TextEncoder();

/** Returns the JSON for one link request: an item of a batch, or the whole body of `POST /api/v1/urls`. */
export function itemOf({ url, options, generatedCode, domain }: Request): Omit<NewLink, 'idempotencyKey'> {
  const { title, expiresAt, tags } = options;
  const shortCode = options.shortCode ?? generatedCode;
  return {
    url,
    ...(shortCode && { shortCode }),
    ...(domain && { domain }),
    ...(title && { title }),
    ...(expiresAt && { expiresAt }),
    ...(tags && { tags }),
  };
}

/** Returns one item of a batch, including the request's own idempotency key. */
export function batchItemOf(request: Request): NewLink {
  return { ...itemOf(request), idempotencyKey: request.idempotencyKey };
}

/**
 * Returns the due requests that can be sent in one batch. If the server does not support batches, returns only the
 * first request.
 */
export function selectBatch(due: Request[], connection: Connection): Request[] {
  const [first] = due;
  if (!first) return [];
  if (!mayShare(first) || !supportsBatches(connection)) return [first];
  const { batchSize } = capabilitiesOf(connection);
  let bytesLeft = BATCH_BYTES;
  const fits = (request: Request) => {
    bytesLeft -= UTF8.encode(JSON.stringify(batchItemOf(request))).byteLength + 1;
    return bytesLeft >= 0;
  };
  const candidates = [first, ...due.filter((request) => request !== first && mayShare(request))].slice(0, batchSize);
  const over = candidates.findIndex((request) => !fits(request));
  return over < 0 ? candidates : candidates.slice(0, Math.max(1, over));
}

/** True if a request may be sent in a batch. Requests that have been sent before must be sent alone. */
function mayShare(request: Request): boolean {
  return !request.alone && request.attempts === 0;
}

/** Splits a list into chunks of `size`. The last chunk may be shorter. */
export function splitIntoChunks<T>(list: T[], size: number): T[][] {
  const starts = list.keys().filter((at) => at % size === 0);
  return Array.from(starts, (at) => list.slice(at, at + size));
}
