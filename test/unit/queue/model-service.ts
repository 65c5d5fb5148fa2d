import type { Limits } from '@terse/contract';

const HOUR = 3_600_000;
const NO_LIMITS: Limits = { throttle: null, quota: null };

export interface ModelAnswer {
  status: 200 | 429 | 503;
  shortUrl: string;
  retryAfterSeconds: number | null;
  code: 'throttled' | 'quota_exceeded' | 'busy';
  date: number;
  limits: Limits;
}

/** The service as the queue meets it: it has a true clock, writes down every arrival, and may honour idempotency keys. */
export class ModelService {
  readonly arrivals: { at: number; key: string; body: string }[] = [];
  readonly links: { key: string; body: string }[] = [];
  readonly #answers = new Map<string, ModelAnswer>();

  readonly kind: 'spec-only' | 'full';
  readonly quota: number;
  readonly #made: number[] = [];

  constructor(kind: 'spec-only' | 'full', quota: number) {
    this.kind = kind;
    this.quota = quota;
  }

  /** One POST reaches the service at `at`. */
  post(at: number, key: string, body: string, busy: boolean): ModelAnswer {
    this.arrivals.push({ at, key, body });
    const earlier = this.kind === 'full' ? this.#answers.get(key) : undefined;
    if (earlier) return { ...earlier, date: dateOf(at), limits: this.limits(at) };
    if (busy) return this.#answer(at, { status: 503, code: 'busy', retryAfterSeconds: null });
    if (this.left(at) <= 0)
      return this.#answer(at, { status: 429, code: 'quota_exceeded', retryAfterSeconds: this.#reset(at) });
    this.links.push({ key, body });
    const answer = this.#answer(at, { status: 200 });
    if (this.kind === 'full') this.#answers.set(key, answer);
    return answer;
  }

  /** What is left of the UTC day. The model charges for links alone, which is the laxest count there is. */
  left(at: number): number {
    const day = Math.floor(at / (24 * HOUR));
    return this.quota - this.#made.filter((made) => Math.floor(made / (24 * HOUR)) === day).length;
  }

  limits(at: number): Limits {
    if (this.kind === 'spec-only') return NO_LIMITS;
    return {
      throttle: { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
      quota: { limit: this.quota, windowSeconds: 86_400, remaining: this.left(at), resetSeconds: this.#reset(at) },
    };
  }

  #reset(at: number): number {
    return Math.ceil((24 * HOUR - (at % (24 * HOUR))) / 1000);
  }

  #answer(at: number, part: Partial<ModelAnswer>): ModelAnswer {
    if (part.status === 200) this.#made.push(at);
    const told = this.kind === 'full' ? part.retryAfterSeconds : null;
    return {
      status: 200,
      code: 'busy',
      shortUrl: `https://s.example/${this.links.length}`,
      date: dateOf(at),
      limits: this.limits(at),
      ...part,
      retryAfterSeconds: told ?? null,
    };
  }
}

/** `Date` has whole seconds. */
export function dateOf(at: number): number {
  return Math.floor(at / 1000) * 1000;
}
