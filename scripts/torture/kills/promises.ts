import type { ReceivedRequest } from '../../../test/e2e/harness/spec-only-service.ts';

/** An accepted request. Each URL is requested only once. */
export interface Order {
  id: string;
  url: string;
}

/** Stored data of the extension that the checks compare with its promises. */
export interface Disk {
  links: { id: string; url: string; shortUrl: string }[];
  requests: { id: string; url: string; state: string; problem: { code: string } | null }[];
}

/** Limits of the service: sends per day, and milliseconds between two sends. */
const QUOTA = 20;
const GAP = 1_000;

/**
 * Checks a service with idempotency keys. Every accepted request must have become exactly one link. Other links and
 * open requests are faults.
 */
export function brokenAtIdempotent(orders: Order[], disk: Disk, madeUrls: string[]): string[] {
  const broken = lost(orders, disk);
  for (const order of orders) {
    const times = madeUrls.filter((url) => url === order.url).length;
    if (times !== 1) broken.push(`${order.url} was made ${times} times`);
    const left = disk.requests.find(({ id }) => id === order.id);
    if (left) broken.push(`${order.url} is ${left.state} (${left.problem?.code}) after minutes of fair weather`);
  }
  const unasked = madeUrls.filter((made) => !orders.some(({ url }) => url === made));
  return [...broken, ...unasked.map((url) => `${url} was made, but nobody asked for it`)];
}

export interface SpecOnlyRecord {
  received: Pick<ReceivedRequest, 'url' | 'manner' | 'at' | 'answeredAt'>[];
  /** Long URL of each created link, read before the disk. */
  made: string[];
  /** Number of times that the user sent an uncertain request again, by URL. */
  sentAgain: Map<string, number>;
  /**
   * Longest time in milliseconds in which the simulated service's process stood still. The recorded times may be
   * wrong by this amount.
   */
  stall: number;
}

/**
 * Checks a service without idempotency keys. No request may be lost, sent twice without the user's decision, or sent
 * too early.
 */
export function brokenAtSpecOnly(orders: Order[], disk: Disk, seen: SpecOnlyRecord): string[] {
  const broken = lost(orders, disk);
  for (const { id, url } of orders) {
    const allowed = 1 + (seen.sentAgain.get(url) ?? 0);
    const made = seen.made.filter((one) => one === url).length;
    if (made > allowed)
      broken.push(`${url} was made ${made} times, and only ${allowed - 1} of them were asked for again`);
    const sent = seen.received.filter((one) => one.url === url && !isLimit(one)).length;
    if (sent > allowed)
      broken.push(`${url} arrived ${sent} times, and only ${allowed - 1} of them were asked for again`);
    const state = disk.requests.find((request) => request.id === id)?.state;
    if (state === 'failed' || state === 'unanswered') broken.push(`${url} is ${state}`);
    if (state === 'waiting' && made > 0 && allowed === 1) broken.push(`${url} is to be sent, though it was made`);
  }
  if (seen.received.length > QUOTA) broken.push(`${seen.received.length} sends arrived in a day`);
  for (const [index, { url, at }] of seen.received.entries()) {
    const before = seen.received[index - 1];
    const gap = before ? at - (before.answeredAt ?? before.at) : GAP;
    if (gap < GAP - seen.stall) broken.push(`${url} arrived ${gap.toFixed(0)} ms after the one before`);
  }
  return broken;
}

/** Checks that the extension sent an API key only to the key's own service. */
export function strayKeys(service: string, authorizations: Set<string>, ownKey: string): string[] {
  const strange = [...authorizations].filter((authorization) => authorization !== `Bearer ${ownKey}`);
  return strange.map((authorization) => `${service} was sent "${authorization.slice(0, 12)}…", which is not its key`);
}

function lost(orders: Order[], { links, requests }: Disk): string[] {
  const gone = orders.filter(({ id }) => ![...links, ...requests].some((one) => one.id === id));
  return gone.map(({ url }) => `${url} was accepted and is nowhere any more`);
}

function isLimit({ manner }: Pick<ReceivedRequest, 'manner'>): boolean {
  return manner === 'limited' || manner === 'limited-retry-after';
}
