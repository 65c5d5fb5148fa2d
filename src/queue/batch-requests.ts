import { supportsBatches } from '../services/service-adapter.ts';
import type { Connection, Request } from './types.ts';

/** How many requests one batch takes (the contract's limit is 100; smaller answers come sooner). */
const BATCH_SIZE = 50;

/** How many bytes of items, so that a batch stays below the 64 KiB a service has to take. */
const BATCH_BYTES = 48 * 1024;

const UTF8 = new TextEncoder();

/** What goes out for one request: as an item of a batch, or by itself to `POST /api/v1/urls`. */
export function itemOf({ url, options, minted }: Request): Record<string, string> {
  const { title, expiresAt } = options;
  const shortCode = options.shortCode ?? minted?.code;
  return { url, ...(shortCode && { shortCode }), ...(title && { title }), ...(expiresAt && { expiresAt }) };
}

/** The same in a batch, with the key that it would have by itself. */
export function batchItemOf(request: Request): Record<string, string> {
  return { ...itemOf(request), idempotencyKey: request.idempotencyKey };
}

/** The first of the requests that are due, and with it, where the service takes batches, those behind it that fit. */
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

/** Private requests go alone, and so do those sent before: under its own key a service may still know the first. */
function mayShare(request: Request): boolean {
  return !request.private && !request.alone && request.attempts === 0;
}

/** A list in parts of so many; the last one may have fewer. */
export function splitIntoChunks<T>(list: T[], size: number): T[][] {
  const starts = list.keys().filter((at) => at % size === 0);
  return Array.from(starts, (at) => list.slice(at, at + size));
}
