import { needsUser, promisedShortUrl } from '../../../../src/queue/sending.ts';
import type { Link, VisibleQueues } from '../../../../src/queue/types.ts';
import type { Computer } from './computer.ts';
import { diskNow } from './disk-now.ts';
import { type HttpAnswer, type HttpRequest, type Service, SHORT_BASE_URL } from './service.ts';

const SECOND = 1_000;
const DAY = 86_400_000;
const DAILY_QUOTA = 20;

/** One URL that the user asked the extension to shorten, and what the user knows about its link. */
export interface Order {
  id: string;
  url: string;
  /**
   * `unconfirmed`: the page got no reply, so the request may or may not exist. `accepted`: the request must not be
   * lost. `canceled`: the user no longer wants it.
   */
  state: 'unconfirmed' | 'accepted' | 'canceled';
  /** Short URL that the user copied before the link existed. */
  copied: string | null;
  /** Number of times that the user had an uncertain request sent again, which can create another link. */
  riskedDuplicates: number;
  link: Link | null;
}

/** Checks the promises to the user. Each broken promise is recorded once. */
export class Promises {
  readonly broken = new Set<string>();
  readonly orders = new Map<string, Order>();
  readonly counts = { posts: 0, links: 0, refusedByLimit: 0, replayed: 0, needUser: 0 };
  readonly #service: Service;
  readonly #serviceTime: () => number;
  readonly #open = new Map<string, Map<string, Order>>();
  /** Number of requests that the service has charged, by day of its clock. */
  readonly #charged = new Map<number, number>();
  /** Days of the service's clock that lasted longer or shorter because its clock was set. */
  readonly #brokenDays = new Set<number>();
  #lastChargeAt: number | null = null;
  readonly #departures = new Map<string, number>();

  constructor(service: Service, serviceTime: () => number) {
    this.#service = service;
    this.#serviceTime = serviceTime;
  }

  add(computer: Computer, id: string, url: string): Order {
    const order: Order = { id, url, state: 'unconfirmed', copied: null, riskedDuplicates: 0, link: null };
    this.orders.set(id, order);
    const open = this.#open.get(computer.name) ?? new Map<string, Order>();
    this.#open.set(computer.name, open.set(id, order));
    return order;
  }

  /** Checks a POST that leaves a computer. */
  departed(computer: Computer, { headers, body }: HttpRequest): void {
    this.counts.posts += 1;
    const { now } = computer.agenda;
    const last = this.#departures.get(computer.name);
    if (last !== undefined && now - last < SECOND) this.broken.add('a computer sends at most one POST a second');
    this.#departures.set(computer.name, now);
    const stored = diskNow().requests.filter(({ state }) => state === 'sending');
    const content = stored.map(({ sent, idempotencyKey }) => JSON.stringify({ ...sent?.item, idempotencyKey }));
    const { urls, ...link } = JSON.parse(body ?? '{}');
    const sent: unknown[] = urls ?? [{ ...link, idempotencyKey: headers['idempotency-key'] }];
    if (!sent.every((item) => content.includes(JSON.stringify(item))))
      this.broken.add('a request is on disk before it is sent');
  }

  /** Records that the clock of a computer was set, so that its extension cannot keep the limits exactly. */
  clockSet(computer: Computer): void {
    this.#departures.delete(computer.name);
    const day = dayOf(this.#serviceTime());
    for (const near of [day - 1, day, day + 1, day + 2]) this.#brokenDays.add(near);
  }

  serviceClockSet(before: number, after: number): void {
    this.#lastChargeAt = null;
    const [from, to] = [dayOf(Math.min(before, after)), dayOf(Math.max(before, after))];
    if (from === to) return;
    for (let day = from - 1; day <= to + 1; day += 1) this.#brokenDays.add(day);
  }

  /** Checks the service's answer to a POST. */
  arrived({ body }: HttpRequest, { status, headers, body: answer }: HttpAnswer): void {
    if (status === 429) this.counts.refusedByLimit += 1;
    const isOverQuota = status === 429 && answer.includes('quota_exceeded');
    if (isOverQuota && this.#open.size === 1 && !this.#brokenDays.has(dayOf(this.#serviceTime())))
      this.broken.add('an extension that does not share its key never exceeds the quota');
    const isReplayed = headers['idempotency-replayed'] === 'true';
    if (isReplayed) this.counts.replayed += 1;
    if (status >= 500) this.broken.add(`the service has no errors (${status})`);
    if (status !== 429 && status !== 401 && !isReplayed) this.#charge();
    for (const url of urlsIn(body)) this.#countLinks(url);
  }

  #charge(): void {
    const now = this.#serviceTime();
    const day = dayOf(now);
    const charged = (this.#charged.get(day) ?? 0) + 1;
    this.#charged.set(day, charged);
    if (charged > DAILY_QUOTA && !this.#brokenDays.has(day)) this.broken.add('at most 20 requests a day are accepted');
    if (this.#lastChargeAt !== null && now - this.#lastChargeAt < SECOND)
      this.broken.add('at most one request a second is accepted');
    this.#lastChargeAt = now;
  }

  #countLinks(url: string): void {
    const order = [...this.orders.values()].find((one) => one.url === url);
    const { length } = this.#service.linksTo(url);
    if (length > 1 + (order?.riskedDuplicates ?? 0)) this.broken.add(`a request creates at most one link: ${url}`);
  }

  /** Checks the disk of a computer after it has changed. */
  diskChanged(computer: Computer): void {
    const { requests, links } = diskNow();
    const waiting = new Set(requests.map(({ id }) => id));
    if (waiting.size < requests.length) this.broken.add('a request is stored once');
    const open = this.#open.get(computer.name) ?? new Map<string, Order>();
    for (const order of [...open.values()]) {
      if (waiting.has(order.id)) continue;
      const link = links.find(({ id }) => id === order.id);
      if (link) {
        open.delete(order.id);
        this.#finished(order, link);
      } else if (order.state === 'accepted') {
        open.delete(order.id);
        this.broken.add(`no accepted request is lost: ${order.id}`);
      }
    }
  }

  #finished(order: Order, link: Link): void {
    order.link = link;
    this.counts.links += 1;
    const code = link.shortUrl.replace(`${SHORT_BASE_URL}/`, '');
    if (this.#service.urlOf(code) !== order.url) this.broken.add(`each link leads to its URL: ${order.id}`);
    if (order.copied === null || order.copied === link.shortUrl) return;
    this.broken.add(`a copied short URL changes only if the user was told that it is taken: ${order.id}`);
  }

  /** Checks what the user sees when the network works and all queues wait only for the user. */
  ended(computer: Computer, { queues }: VisibleQueues): void {
    const visible = new Map(queues.flatMap((queue) => queue.requests.map((request) => [request.id, queue] as const)));
    for (const queue of queues) {
      const isVisible = needsUser(queue);
      for (const request of queue.requests) {
        if (!isVisible(request)) this.broken.add(`every request ends: ${request.id} is ${request.state}`);
        this.counts.needUser += 1;
        if (request.state === 'failed' && this.#service.linksTo(request.url).length > 0)
          this.broken.add(`a request that failed has no link: ${request.id} (${request.problem?.code})`);
        if (request.problem === null) this.broken.add(`a request that needs the user says why: ${request.id}`);
      }
    }
    for (const order of this.#open.get(computer.name)?.values() ?? [])
      if (order.state === 'accepted' && !visible.has(order.id))
        this.broken.add(`no accepted request is hidden: ${order.id}`);
  }

  /** Compares the links of the service with the links that the users know. */
  allEnded(requestsLeft: Set<string>): void {
    const byUrl = new Map([...this.orders.values()].map((order) => [order.url, order]));
    const urls = this.#service.allUrls();
    for (const url of urls) {
      const order = byUrl.get(url);
      const isKnown = order && (order.link || order.state === 'canceled' || requestsLeft.has(order.id));
      if (!isKnown) this.broken.add(`every link is known to the user who asked for it: ${url}`);
    }
    const linked = new Set(urls);
    for (const order of this.orders.values())
      if (order.link && !linked.has(order.url)) this.broken.add(`each link exists at the service: ${order.id}`);
    for (const error of this.#service.errors) this.broken.add(`the service logs no error: ${error}`);
  }
}

/** Short URL that the extension shows for a waiting request, read from the disk of the current computer. */
export function shortUrlOfWaiting(id: string): string | null {
  const { requests, connections } = diskNow();
  const request = requests.find((one) => one.id === id);
  const connection = connections.find((one) => one.id === request?.connectionId);
  return request && connection ? promisedShortUrl(request, connection) : null;
}

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

function urlsIn(body: string | null): string[] {
  const { url, urls } = JSON.parse(body ?? '{}') as { url?: string; urls?: { url: string }[] };
  return urls?.map((item) => item.url) ?? (url === undefined ? [] : [url]);
}
