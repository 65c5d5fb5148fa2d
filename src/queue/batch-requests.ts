import { supportsBatches } from '../services/service-adapter.ts';
import type { Connection, Request } from './types.ts';

/** Maximum number of requests in a batch. The contract allows 100, but smaller batches get their response sooner. */
const BATCH_SIZE = 50;

/** Maximum size of a batch's items in bytes. It keeps the body below the 64 KiB that a service must accept. */
const BATCH_BYTES = 48 * 1024;

const UTF8 = new TextEncoder();

/** Builds the body of a request: an item of a batch, or the whole body of `POST /api/v1/urls`. */
export function itemOf({ url, options, minted }: Request): Record<string, string> {
  const { title, expiresAt } = options;
  const shortCode = options.shortCode ?? minted?.code;
  return { url, ...(shortCode && { shortCode }), ...(title && { title }), ...(expiresAt && { expiresAt }) };
}

/** Builds the item of a request in a batch. It contains the idempotency key that the request would have alone. */
export function batchItemOf(request: Request): Record<string, string> {
  return { ...itemOf(request), idempotencyKey: request.idempotencyKey };
}

/**
 * Selects the first request that is due. If the service supports batches, the requests behind it that fit are added.
 */
export function selectBatch(due: Request[], connection: Connection): Request[] {
  const [first] = due;
  if (!first) return [];
  if (!mayShare(first) || !supportsBatches(connection)) return [first];
  let bytesLeft = BATCH_BYTES;
  const fits = (request: Request) => {
    bytesLeft -= UTF8.encode(JSON.stringify(batchItemOf(request))).byteLength + 1;
    return bytesLeft >= 0;
  };
  const candidates = [first, ...due.filter((request) => request !== first && mayShare(request))].slice(0, BATCH_SIZE);
  const over = candidates.findIndex((request) => !fits(request));
  return over < 0 ? candidates : candidates.slice(0, Math.max(1, over));
}

/** True if a request may be sent in a batch. Private requests and those that were sent before are sent alone. */
function mayShare(request: Request): boolean {
  return !request.private && !request.alone && request.attempts === 0;
}

/** Splits a list into chunks of `size`. The last chunk may be shorter. */
export function splitIntoChunks<T>(list: T[], size: number): T[][] {
  const starts = list.keys().filter((at) => at % size === 0);
  return Array.from(starts, (at) => list.slice(at, at + size));
}
