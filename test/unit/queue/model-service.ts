import type { Limits } from '@terse/contract';

const DAY = 24 * 3_600_000;
const NO_LIMITS: Limits = { throttle: null, quota: null };

export interface ModelAnswer {
  /** Refused as a whole, for now; null: each of its URLs was judged. */
  refusal: 'quota_exceeded' | 'busy' | null;
  /** The short URL of each URL sent; null for one that was refused for good. */
  results: (string | null)[];
  retryAfterSeconds: number | null;
  date: number;
  limits: Limits;
}

/** The service as the queue meets it: it has a true clock, writes down every arrival, and may honour idempotency keys. */
export class ModelService {
  readonly arrivals: { at: number; key: string; body: string }[] = [];
  readonly links: { key: string; url: string }[] = [];
  /** `batching` takes batches, and judges its limits before it looks up a key, as a service may. */
  readonly kind: 'spec-only' | 'full' | 'batching';
  readonly quota: number;
  readonly #answers = new Map<string, ModelAnswer>();
  readonly #made: number[] = [];

  constructor(kind: ModelService['kind'], quota: number) {
    this.kind = kind;
    this.quota = quota;
  }

  /** One POST reaches the service at `at`. Of all the weather there is, it knows these two. */
  post(at: number, key: string, body: string, weather: 'busy' | 'no-key' | (string & {})): ModelAnswer {
    this.arrivals.push({ at, key, body });
    if (weather === 'no-key') return this.#answer(at, {});
    const busy = weather === 'busy';
    const known = this.#answers.get(key);
    const limited = this.left(at) <= 0 && !(known && this.kind === 'full');
    if (busy && !known) return this.#answer(at, { refusal: 'busy' });
    if (limited) return this.#answer(at, { refusal: 'quota_exceeded', retryAfterSeconds: this.#reset(at) });
    if (known && this.kind !== 'spec-only') return { ...known, date: dateOf(at), limits: this.limits(at) };
    this.#made.push(at);
    const answer = this.#answer(at, { results: urlsOf(body).map((url) => this.#make(key, url)) });
    this.#answers.set(key, answer);
    return answer;
  }

  /** What is left of the UTC day. The model charges for links alone, which is the laxest count there is. */
  left(at: number): number {
    const day = Math.floor(at / DAY);
    return this.quota - this.#made.filter((made) => Math.floor(made / DAY) === day).length;
  }

  limits(at: number): Limits {
    if (this.kind === 'spec-only') return NO_LIMITS;
    return {
      throttle: { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
      quota: { limit: this.quota, windowSeconds: 86_400, remaining: this.left(at), resetSeconds: this.#reset(at) },
    };
  }

  /** Every seventh URL is one that the service does not take. */
  #make(key: string, url: string): string | null {
    if (Number(url.split('/r').pop()) % 7 === 6) return null;
    this.links.push({ key, url });
    return `https://s.example/${this.links.length}`;
  }

  #reset(at: number): number {
    return Math.ceil((DAY - (at % DAY)) / 1000);
  }

  #answer(at: number, part: Partial<ModelAnswer>): ModelAnswer {
    const common = { refusal: null, results: [], date: dateOf(at), limits: this.limits(at) };
    const told = this.kind === 'spec-only' ? null : part.retryAfterSeconds;
    return { ...common, ...part, retryAfterSeconds: told ?? null };
  }
}

function urlsOf(body: string): string[] {
  const { url, urls } = JSON.parse(body) as { url?: string; urls?: { url: string }[] };
  return url === undefined ? (urls ?? []).map((item) => item.url) : [url];
}

/** `Date` has whole seconds. */
export function dateOf(at: number): number {
  return Math.floor(at / 1000) * 1000;
}
