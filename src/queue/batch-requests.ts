import { capabilitiesOf } from '../servers/capabilities.ts';
import { newLinkOf } from './send-requests.ts';
import type { Connection, Request } from './types.ts';

/** Largest number of requests in a batch. */
export const LARGEST_BATCH = 50;

/** Largest number of requests in a batch of requests whose larger batch has failed. */
const SMALL_BATCH = 7;

/**
 * Maximum total size of the items in a batch, in bytes. With this limit, the body stays below the 64 KiB that every
 * server must accept.
 */
const BATCH_BYTES = 48 * 1024;

const UTF8 = new TextEncoder();

/**
 * Value in milliseconds that is added to the sort key of bulk lists. The value is so large that all single requests
 * come first.
 */
const LISTS_BEHIND_MS = 20 * 365 * 24 * 3_600_000;

/** Compares two requests by the order in which the user submitted them. Single requests come before bulk lists. */
export function sortByQueueOrder(one: Request, other: Request): number {
  return positionOf(one, one.createdAt) - positionOf(other, other.createdAt);
}

/**
 * Returns the requests that will be sent, in sending order. A delayed request comes after the requests that were
 * submitted before its delay ends, so that it cannot hold them up.
 */
export function pendingRequests(requests: Request[]): Request[] {
  const pending = requests.filter(({ state }) => state === 'waiting' || state === 'unknown');
  const order = (request: Request) => positionOf(request, request.retryAt ?? request.createdAt);
  return pending.sort((one, other) => order(one) - order(other));
}

function positionOf({ listId }: Request, time: number): number {
  return time + (listId === null ? 0 : LISTS_BEHIND_MS);
}

/** True if the request is not delayed. */
export function isDue({ retryAt }: Request, now: number): boolean {
  return retryAt === null || retryAt <= now;
}

/** Returns the largest batch for requests whose batch of this size has failed. */
export function smallerBatch(size: number): number {
  return size > SMALL_BATCH ? SMALL_BATCH : 1;
}

/**
 * Returns the due requests that can be sent in one batch. If the server does not support batches, returns only the
 * first request.
 */
export function selectBatch(due: Request[], connection: Connection): Request[] {
  const [first] = due;
  if (!first) return [];
  if (!mayShare(first)) return [first];
  const limit = Math.min(capabilitiesOf(connection).batchSize, first.maxBatch);
  const batch: Request[] = [];
  let bytesLeft = BATCH_BYTES;
  for (const request of due) {
    if (!mayShare(request) || request.maxBatch !== first.maxBatch) continue;
    bytesLeft -= UTF8.encode(JSON.stringify(newLinkOf(request, connection))).byteLength + 1;
    if (batch.length === limit || (bytesLeft < 0 && batch.length > 0)) break;
    batch.push(request);
  }
  return batch;
}

/**
 * True if a request may be sent in a batch. The idempotency key of a request that was sent to `/api/shorten` is not
 * known in batches.
 */
function mayShare({ maxBatch, sent }: Request): boolean {
  return maxBatch > 1 && sent?.path !== '/api/shorten';
}

/** Splits a list into chunks of `size`. The last chunk may be shorter. */
export function splitIntoChunks<T>(list: T[], size: number): T[][] {
  const starts = list.keys().filter((at) => at % size === 0);
  return Array.from(starts, (at) => list.slice(at, at + size));
}
