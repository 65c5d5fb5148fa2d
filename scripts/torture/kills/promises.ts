import type { ReceivedRequest } from '../../../test/e2e/harness/spec-only-service.ts';

/** What the person asked for, and was told is accepted. Each URL is asked for once. */
export interface Order {
  id: string;
  url: string;
}

/** What the extension keeps, as far as the promises go. */
export interface Disk {
  links: { id: string; url: string; shortUrl: string }[];
  requests: { id: string; url: string; state: string; problem: { code: string } | null }[];
}

/** A service sees at most so many sends a day, and one in so many milliseconds. */
const QUOTA = 20;
const GAP = 1_000;

/** At a service that honours keys: every request became one link, and nothing is left of it but that. */
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

/** What a service with the specification alone has seen. */
export interface SpecOnlyRecord {
  received: Pick<ReceivedRequest, 'url' | 'manner' | 'at' | 'answeredAt'>[];
  /** The long URL of each link, read before the disk was. */
  made: string[];
  /** How often the person said "send again" of an undecided request, by its URL. */
  sentAgain: Map<string, number>;
  /** The longest time in which the service itself stood still, in milliseconds: its times are that uncertain. */
  stall: number;
}

/** At a service with the specification alone: nothing twice that the person did not ask for, nothing lost, nothing too fast. */
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

/** A key goes to its own service alone. */
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
