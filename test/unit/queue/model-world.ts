import { FEATURE } from '@terse/contract';
import { freshBudget } from '../../../src/queue/budget.ts';
import { EMPTY_QUEUE } from '../../../src/queue/initial.ts';
import { looked } from '../../../src/queue/look.ts';
import { nextAction } from '../../../src/queue/next.ts';
import type { ItemOutcome, Outcome } from '../../../src/queue/outcome.ts';
import { recover } from '../../../src/queue/recover.ts';
import {
  accept,
  cancel,
  connectionChanged,
  mended,
  networkReturned,
  resume,
  retry,
} from '../../../src/queue/requests.ts';
import { beginAttempt, repeatAttempt } from '../../../src/queue/send.ts';
import { settle } from '../../../src/queue/settle.ts';
import type { Snapshot, Time } from '../../../src/queue/types.ts';
import { dateOf, type ModelAnswer, type ModelService } from './model-service.ts';

/** How the next attempt fares. */
export type Weather =
  | 'fair'
  | 'busy'
  | 'bad-gateway' // the service does its work, and something before it answers with an error of its own
  | 'nonsense' // the service does its work, and answers with what nobody can read
  | 'no-key' // the service knows the key no more, and judges nothing else
  | 'lost-before' // never reaches the service
  | 'lost-after' // reaches it, the answer does not come back
  | 'killed-before' // the worker dies after the commit, before the request leaves
  | 'killed-after'; // the worker dies before the answer arrives

const NOTHING_TOLD = { date: null, limits: { throttle: null, quota: null } };
const FETCH_LIMIT_MS = 20_000;

/** A worker with its database, a person, a clock that may be wrong, and a service with one that is right. */
export class World {
  /** True time; the computer's clock shows `now + clockError`. */
  now = Date.UTC(2026, 2, 28, 9, 30);
  clockError = 0;
  online = true;
  weather: Weather = 'fair';
  snapshot: Snapshot;
  readonly service: ModelService;
  readonly chance: () => number;
  readonly accepted = new Set<string>();
  readonly givenUp = new Set<string>();
  readonly done = new Map<string, string>();
  /** Times the person said "try again", by request. */
  readonly retries = new Map<string, number>();
  #life = 1;
  #keys = 0;
  #lifeBegan = this.now;
  #clockAtBirth = this.now;
  #reachedAt: number | null = null;

  constructor(service: ModelService, chance: () => number) {
    this.service = service;
    this.chance = chance;
    const features: string[] = [FEATURE.idempotency, FEATURE.rateLimit, FEATURE.key];
    if (service.kind === 'batching') features.push(FEATURE.batch);
    const info = { name: 'model', shortBaseUrl: 'https://s.example', features };
    this.snapshot = {
      connection: {
        id: 'c',
        baseUrl: 'https://a.example',
        lastFour: 'abcd',
        service: service.kind === 'spec-only' ? null : info,
      },
      queue: EMPTY_QUEUE,
      budget: freshBudget('c'),
      requests: [],
    };
    this.#look();
  }

  accept(id: string): void {
    this.accepted.add(id);
    this.snapshot = accept(
      this.snapshot,
      { id, url: `https://x.example/${id}`, title: id, private: false },
      `key-${id}`,
      this.#time(),
    );
  }

  cancel(id: string): void {
    this.snapshot = cancel(this.snapshot, id);
    if (!this.snapshot.requests.some((request) => request.id === id) && !this.done.has(id)) this.givenUp.add(id);
  }

  retry(id: string): void {
    const state = this.snapshot.requests.find((request) => request.id === id)?.state;
    if (state === 'unknown' || state === 'failed') this.retries.set(id, (this.retries.get(id) ?? 0) + 1);
    this.snapshot = retry(this.snapshot, id, `again-${id}-${this.retries.get(id)}`);
  }

  /** The person presses "try again" where the queue halts. */
  resume(): void {
    this.snapshot = resume(this.snapshot);
  }

  /** The person connects anew, to the same service. */
  mend(): void {
    this.#keys += 1;
    let minted = 0;
    this.snapshot = mended(connectionChanged(this.snapshot), () => {
      minted += 1;
      return `mended-${this.#keys}-${minted}`;
    });
  }

  setOnline(online: boolean): void {
    this.online = online;
    if (online) this.snapshot = networkReturned(this.snapshot);
  }

  /** The worker dies, and another starts after `downFor` milliseconds. */
  restart(downFor: number): void {
    this.now += downFor;
    this.#life += 1;
    this.#lifeBegan = this.now;
    this.#clockAtBirth = this.now + this.clockError;
    this.#reachedAt = null;
    this.snapshot = recover(this.snapshot, this.#time());
  }

  /** Lets `ms` of true time pass, the worker doing whatever is due. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (let steps = 0; steps < 500; steps += 1) {
      const action = nextAction(this.snapshot, this.#time(), { online: this.online, reachedAt: this.#reachedAt });
      if (action.kind === 'look') this.#look();
      else if (action.kind === 'send') this.#send(beginAttempt(this.snapshot, action.requestIds, this.#time()));
      else if (action.kind === 'resend') this.#send(repeatAttempt(this.snapshot, this.#time()));
      else {
        const wake =
          action.kind === 'wait' && action.until !== null ? this.now + (action.until - this.#time().now) : until;
        if (wake >= until) break;
        this.now = Math.max(this.now, wake);
      }
      if (this.now >= until) return;
    }
    this.now = Math.max(this.now, until);
  }

  /** Within one life the clock runs evenly from where it stood at birth; a jump shows in the next one. */
  #time(): Time {
    return { now: this.#clockAtBirth + (this.now - this.#lifeBegan), lifetime: `life-${this.#life}` };
  }

  #look(): void {
    this.now += 50;
    const dark = this.weather === 'lost-before';
    const told = { date: dateOf(this.now), limits: this.service.limits(this.now) };
    this.snapshot = looked(this.snapshot, dark ? null : told, this.#time(), this.chance());
    if (!dark) this.#reachedAt = this.#time().now;
  }

  #send(begun: Snapshot): void {
    this.snapshot = begun;
    const { weather } = this;
    const attempt = begun.queue.attempt;
    if (!attempt) throw new Error('an attempt was begun');
    if (weather === 'killed-before') {
      this.#dies();
      return;
    }
    const answer =
      weather === 'lost-before' ? null : this.service.post(this.now, attempt.idempotencyKey, attempt.body, weather);
    if (weather === 'killed-after') {
      this.#dies();
      return;
    }
    this.now += weather.startsWith('lost') ? FETCH_LIMIT_MS : 80;
    this.#settle(weather === 'lost-after' ? null : answer, weather);
  }

  #dies(): void {
    this.weather = 'fair';
    this.restart(0);
  }

  #settle(answer: ModelAnswer | null, weather: Weather): void {
    const ids = this.snapshot.queue.attempt?.requestIds ?? [];
    const settled = settle(this.snapshot, this.#outcome(ids, answer, weather), this.#time(), this.chance());
    this.snapshot = settled.snapshot;
    for (const link of settled.links) this.done.set(link.id, link.shortUrl);
    if (answer) this.#reachedAt = this.#time().now;
  }

  #outcome(ids: string[], answer: ModelAnswer | null, weather: Weather): Outcome {
    const all = (item: ItemOutcome) => ids.map(() => item);
    if (!answer) return { items: all(LOST), answered: false, conclusive: false, ...NOTHING_TOLD };
    if (weather === 'no-key') {
      return { items: all(NO_KEY), answered: true, conclusive: true, ...NOTHING_TOLD, date: answer.date };
    }
    if (weather === 'nonsense') {
      return { items: all(NONSENSE), answered: true, conclusive: false, ...NOTHING_TOLD, date: answer.date };
    }
    if (weather === 'bad-gateway') {
      const item = this.service.kind === 'spec-only' ? GATEWAY : { ...BUSY, retryAfterSeconds: null };
      return { items: all(item), answered: true, conclusive: false, ...NOTHING_TOLD, date: answer.date };
    }
    const { results, refusal, date, limits } = answer;
    const items = refusal
      ? all({ ...BUSY, code: refusal, retryAfterSeconds: answer.retryAfterSeconds })
      : results.map((shortUrl): ItemOutcome => (shortUrl ? { kind: 'created', shortUrl } : INVALID));
    return { items, answered: true, conclusive: !refusal, date, limits };
  }
}

const LOST: ItemOutcome = { kind: 'unclear', code: 'no_answer', message: '' };
const GATEWAY: ItemOutcome = { kind: 'unclear', code: 'server_error', message: '' };
const BUSY = { kind: 'refused_for_now', code: 'busy', message: '' } as const;
const INVALID: ItemOutcome = { kind: 'refused', code: 'invalid_url', message: '' };
const NO_KEY: ItemOutcome = { kind: 'refused', code: 'unauthorized', message: '' };
const NONSENSE: ItemOutcome = { kind: 'unclear', code: 'not_understood', message: '' };
