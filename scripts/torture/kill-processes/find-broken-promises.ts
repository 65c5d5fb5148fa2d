import type { ReceivedRequest } from '../../../test/e2e/harness/spec-only-service.ts';

/** An accepted request. No two requests have the same URL. */
export interface Order {
  id: string;
  url: string;
}

/**
 * Links and requests that the extension has stored on disk. The checks look for missing and unfinished requests in
 * this data.
 */
export interface Disk {
  links: { id: string; url: string; shortUrl: string }[];
  requests: { id: string; url: string; state: string; problem: { code: string } | null }[];
}

/** Maximum number of requests that the service accepts per day. */
const QUOTA = 20;
/** Minimum time between two requests, in milliseconds. */
const GAP = 1_000;

/**
 * Checks a service with idempotency keys. Every accepted request must have created exactly one link. Also reports
 * unfinished requests, and links that were never requested.
 */
export function brokenAtIdempotent(orders: Order[], disk: Disk, madeUrls: string[]): string[] {
  const broken = lost(orders, disk);
  for (const order of orders) {
    const times = madeUrls.filter((url) => url === order.url).length;
    if (times !== 1) broken.push(`${order.url} was created ${times} times`);
    const left = disk.requests.find(({ id }) => id === order.id);
    if (left)
      broken.push(
        `${order.url} is still ${left.state} (${left.problem?.code ?? 'no problem'}) after minutes without faults`,
      );
  }
  const unrequested = madeUrls.filter((made) => !orders.some(({ url }) => url === made));
  return [...broken, ...unrequested.map((url) => `${url} was created, but never requested`)];
}

export interface SpecOnlyRecord {
  received: Pick<ReceivedRequest, 'url' | 'manner' | 'at' | 'answeredAt'>[];
  /** Long URLs of the links that the service created. */
  made: string[];
  /**
   * Longest time in milliseconds during which the simulated service was blocked. The recorded arrival time of a
   * request may be too late by this amount.
   */
  stall: number;
}

/**
 * Checks a service without idempotency keys. Reports requests that were lost, sent again without the user's decision,
 * or sent too early.
 */
export function brokenAtSpecOnly(orders: Order[], disk: Disk, seen: SpecOnlyRecord): string[] {
  const broken = lost(orders, disk);
  for (const { id, url } of orders) {
    const made = seen.made.filter((one) => one === url).length;
    if (made > 1) broken.push(`${url} was created ${made} times`);
    const sent = seen.received.filter((one) => one.url === url && !isLimit(one)).length;
    if (sent > 1) broken.push(`${url} was received ${sent} times`);
    const state = disk.requests.find((request) => request.id === id)?.state;
    if (state === 'failed' || state === 'unknown') broken.push(`${url} is ${state}`);
    if (state === 'waiting' && made > 0) broken.push(`${url} is waiting to be sent, but was already created`);
  }
  if (seen.received.length > QUOTA)
    broken.push(`${seen.received.length} requests were received in one day, more than the limit of ${QUOTA}`);
  for (const [index, { url, at }] of seen.received.entries()) {
    const before = seen.received[index - 1];
    const gap = before ? at - (before.answeredAt ?? before.at) : GAP;
    if (gap < GAP - seen.stall) broken.push(`${url} was received ${gap.toFixed(0)} ms after the previous request`);
  }
  return broken;
}

function lost(orders: Order[], { links, requests }: Disk): string[] {
  const gone = orders.filter(({ id }) => ![...links, ...requests].some((one) => one.id === id));
  return gone.map(({ url }) => `${url} was accepted, but is missing now`);
}

function isLimit({ manner }: Pick<ReceivedRequest, 'manner'>): boolean {
  return manner === 'limited' || manner === 'limited-retry-after';
}
