import type { Limits } from '@terse/contract/http-headers';
import { FEATURE } from '@terse/contract/service-capabilities';
import type { ServiceInfo } from '../../../../src/queue/types.ts';
import type { CreateRequest, Found, NewLink } from '../../../../src/servers/adapter.ts';
import { DAY, NO_LIMITS } from '../support/queue-builders.ts';

/** Kinds of services. A `batching` service supports batches and may check its limits before it checks the API key. */
export type Kind = 'spec-only' | 'full' | 'batching';

/** Behavior of a service, or of a gateway in front of the service. */
export type Weather =
  | 'fair'
  | 'slow' // takes seconds, each way
  | 'busy' // does nothing, and says so
  | 'cached' // a cache answers probes without a key, with a `Date` of the day before
  | 'down' // not there at all
  | 'gateway' // does its work, and something before it answers with an error of its own
  | 'nonsense' // does its work, and answers with what nobody can read
  | 'throttles' // refuses a send that kept the pace
  | 'filtered' // a gateway refuses what is sent, and passes nothing on
  | 'maintenance' // a page with status 200 in place of everything
  | 'dead' // an error of a CDN in place of everything
  | 'squatted' // somebody else has whatever code is asked for
  | 'no-key' // knows the API key no more, and decides nothing else
  | 'no-batches' // a proxy takes no body as large as a batch
  | 'lost-before' // a POST never reaches it, though it is there
  | 'lost-after' // a POST reaches it, its answer does not come back
  | 'killed-before' // the worker dies after the commit, before the POST leaves
  | 'killed-after'; // the background worker dies before the response arrives

/**
 * URLs with these words always fail: `error` fails the whole request, and `item` fails a single URL of a batch. The
 * service refuses one in seven other URLs.
 */
export const POISONS = ['error', 'item', 'reset', 'nonsense', 'busy', 'filtered'] as const;
export type Poison = (typeof POISONS)[number];

/**
 * Response to a POST request. For each URL, `done` contains a short URL, null if the URL was refused, `'error'` if
 * only this URL failed, or `'taken'` if the short code is already in use.
 */
export interface ModelAnswer {
  status:
    | 'done'
    | 'quota'
    | 'throttled'
    | 'busy'
    | 'error'
    | 'nonsense'
    | 'no-key'
    | 'too-large'
    | 'filtered'
    | 'dead'
    | 'lost';
  results: (string | null | 'taken')[];
  retryAfterSeconds: number | null;
  date: number;
  limits: Limits;
}

export interface Received {
  at: number;
  apiKey: string;
  key: string;
  body: string;
}

const KEY_KEPT_MS = 30 * DAY;

/**
 * A model of a link-shortening service. It has a correct clock, records every request, and may support idempotency
 * keys.
 */
export class ModelService {
  readonly kind: Kind;
  readonly baseUrl: string;
  readonly quota: number;
  readonly received: Received[] = [];
  readonly links: { key: string; url: string; shortUrl: string }[] = [];
  weather: Weather = 'fair';
  /** False if the service finds no links by short code. */
  finds = true;
  readonly #answers = new Map<string, { at: number; answer: ModelAnswer }>();
  readonly #items = new Map<string, { at: number; shortUrl: string }>();
  readonly #made: { at: number; apiKey: string }[] = [];
  #issued = 0;

  constructor(kind: Kind, name: string, quota = 20) {
    this.kind = kind;
    this.baseUrl = `https://${name}.example`;
    this.quota = quota;
  }

  get #shortBaseUrl(): string {
    return this.baseUrl.replace('https://', 'https://short.');
  }

  issueKey(): string {
    this.#issued += 1;
    return `${this.baseUrl} key ${this.#issued}`;
  }

  get info(): ServiceInfo | null {
    if (this.kind === 'spec-only') return null;
    const features: string[] = [
      FEATURE.idempotency,
      FEATURE.rateLimit,
      FEATURE.key,
      FEATURE.links,
      FEATURE.chosenCodes,
    ];
    const codes = { alphabet: 'abcdefgh', length: 6 };
    if (this.kind === 'batching') features.push(FEATURE.batch, FEATURE.itemIdempotency);
    return { name: this.baseUrl, shortBaseUrl: this.#shortBaseUrl, features, codes };
  }

  /** Receives a POST request at the service's time `at`. */
  post(
    at: number,
    apiKey: string,
    { idempotencyKey: key, body, path }: Pick<CreateRequest, 'idempotencyKey' | 'body' | 'path'>,
  ): ModelAnswer {
    const { weather } = this;
    if (weather === 'dead') return this.#answer(at, apiKey, { status: 'dead' });
    if (weather === 'maintenance') return this.#answer(at, apiKey, { status: 'nonsense' });
    if (weather === 'filtered' || body.includes('/filtered')) return this.#answer(at, apiKey, { status: 'filtered' });
    this.received.push({ at, apiKey, key, body });
    const isBatch = path === '/api/v1/urls/batch';
    if (weather === 'no-key') return this.#answer(at, apiKey, { status: 'no-key' });
    if (weather === 'no-batches' && isBatch) return this.#answer(at, apiKey, { status: 'too-large' });
    if (weather === 'throttles') return this.#answer(at, apiKey, { status: 'throttled' });
    const items = itemsOf(body, key);
    const poison = POISONS.find((name) => items.some(({ url }) => url.includes(name)));
    const known = this.#known(at, key);
    if ((weather === 'busy' || poison === 'busy') && !known) return this.#answer(at, apiKey, { status: 'busy' });
    if (this.left(at, apiKey) <= 0 && !(known && this.kind === 'full')) {
      return this.#answer(at, apiKey, { status: 'quota', retryAfterSeconds: this.#reset(at) });
    }
    if (poison === 'error' || (poison === 'item' && !isBatch)) return this.#answer(at, apiKey, { status: 'error' });
    const done = known ? this.#answer(at, apiKey, known) : this.#do(at, apiKey, key, items);
    return { ...done, status: this.#statusOf(weather, poison) };
  }

  /** Looks for a link by its short code. */
  find({ url, shortCode = '' }: NewLink): Found {
    const link = this.linkOf(shortCode);
    if (!link) return { state: 'unknown' };
    return link.url === url ? { state: 'found', shortUrl: link.shortUrl } : { state: 'taken' };
  }

  /** Returns the link with this short code. Returns null without such a link, or if the service is unreachable. */
  linkOf(code: string): { url: string; shortUrl: string } | null {
    const isHidden = !this.finds || ['down', 'maintenance', 'dead'].includes(this.weather);
    const link = this.links.find(({ shortUrl }) => shortUrl === `${this.#shortBaseUrl}/${code}`);
    return isHidden ? null : (link ?? null);
  }

  /**
   * Returns how many links may still be created today (UTC). The model is as lenient as possible and counts only
   * created links.
   */
  left(at: number, apiKey: string): number {
    const isOfToday = (made: { at: number; apiKey: string }) =>
      made.apiKey === apiKey && Math.floor(made.at / DAY) === Math.floor(at / DAY);
    return this.quota - this.#made.filter(isOfToday).length;
  }

  limits(at: number, apiKey: string): Limits {
    if (this.kind === 'spec-only') return NO_LIMITS;
    const remaining = this.left(at, apiKey);
    return {
      throttle: { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
      quota: { limit: this.quota, windowSeconds: 86_400, remaining, resetSeconds: this.#reset(at) },
    };
  }

  #known(at: number, key: string): ModelAnswer | null {
    const kept = this.#answers.get(key);
    return this.kind !== 'spec-only' && kept && at - kept.at < KEY_KEPT_MS ? kept.answer : null;
  }

  #do(at: number, apiKey: string, key: string, items: Item[]): ModelAnswer {
    this.#made.push({ at, apiKey });
    const results = items.map((item) => this.#knownItem(at, item.key) ?? this.#make(at, item));
    const answer = this.#answer(at, apiKey, { results });
    this.#answers.set(key, { at, answer });
    return answer;
  }

  /** Applies network faults to a response. */
  #statusOf(weather: Weather, poison: Poison | undefined): ModelAnswer['status'] {
    if (weather === 'lost-after' || poison === 'reset') return 'lost';
    if (weather === 'nonsense' || poison === 'nonsense') return 'nonsense';
    return weather === 'gateway' ? 'error' : 'done';
  }

  /** Returns the short URL that was created with this idempotency key, if any. */
  #knownItem(at: number, key: string): string | null {
    const made = this.#items.get(key);
    return this.kind !== 'spec-only' && made && at - made.at < KEY_KEPT_MS ? made.shortUrl : null;
  }

  #make(at: number, { key, url, shortCode }: Item): ModelAnswer['results'][number] {
    if (url.includes('item')) return 'error';
    if (Number(/\/r(\d+)$/.exec(url)?.[1]) % 7 === 6) return null;
    const shortUrl = `${this.#shortBaseUrl}/${shortCode ?? this.links.length + 1}`;
    const isTaken = this.links.some((link) => link.shortUrl === shortUrl);
    if (shortCode !== undefined && (isTaken || this.weather === 'squatted')) return 'taken';
    this.links.push({ key, url, shortUrl });
    this.#items.set(key, { at, shortUrl });
    return shortUrl;
  }

  #reset(at: number): number {
    return Math.ceil((DAY - (at % DAY)) / 1000);
  }

  #answer(at: number, apiKey: string, part: Partial<ModelAnswer>): ModelAnswer {
    const common = { status: 'done' as const, results: [], retryAfterSeconds: null };
    const answer = { ...common, ...part, date: dateOf(at), limits: this.limits(at, apiKey) };
    return this.kind === 'spec-only' ? { ...answer, retryAfterSeconds: null } : answer;
  }
}

interface Item {
  url: string;
  key: string;
  shortCode?: string;
}

function itemsOf(body: string, key: string): Item[] {
  type Sent = Omit<Item, 'key'> & { idempotencyKey: string };
  const { urls, ...only } = JSON.parse(body) as Sent & { urls?: Sent[] };
  return urls?.map(({ idempotencyKey, ...item }) => ({ ...item, key: idempotencyKey })) ?? [{ ...only, key }];
}

/** HTTP `Date` headers have whole seconds. */
export function dateOf(at: number): number {
  return Math.floor(at / 1000) * 1000;
}
