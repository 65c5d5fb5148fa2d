import type { Attempt, BlockReason, Link, Queue, Request } from '../../../../src/queue/types.ts';
import type { AttemptResult } from '../../../../src/servers/adapter.ts';
import { isIdempotent } from '../../../../src/servers/capabilities.ts';
import { DAY, MINUTE } from '../support/queue-builders.ts';

export type Cause =
  | 'accept'
  | 'cancel'
  | 'retry'
  | 'try-now'
  | 'hold'
  | 'save' // the same service, with the same key or another
  | 'move' // to another service
  | 'grant'
  | 'deny'
  | 'online'
  | 'recover'
  | 'leave'
  | 'expire'
  | 'probe'
  | 'send'
  | 'look-up'
  | 'settle';

/** Events that may end each reason for blocking a queue. */
const ENDS: Record<BlockReason, Cause[]> = {
  forbidden: ['move', 'probe', 'save', 'settle', 'try-now'],
  unauthorized: ['save', 'move', 'settle', 'probe', 'try-now'],
  key_missing: ['save', 'move'],
  not_a_service: ['save', 'move', 'try-now'],
  redirected: ['save', 'move', 'try-now'],
  permission: ['grant', 'move'],
};

/** Events after which the daily limit of sends per request starts again. */
const ASKS: Cause[] = ['retry', 'try-now', 'save', 'move'];

const MOST_PROBES_A_MINUTE = 40;

interface Sent {
  at: number;
  apiKey: string;
}

/** Records all events of a simulation, and checks each change of a queue against the promises to the user. */
export class Chronicle {
  /** True if the user has set the computer's clock. The extension cannot keep limits exactly after that. */
  isClockSet = false;
  readonly accepted = new Set<string>();
  readonly givenUp = new Set<string>();
  readonly done = new Map<string, string>();
  /** Descriptions of broken promises to the user. */
  readonly breaches = new Set<string>();
  /** Times of a request's sends, by request id and number of user actions. */
  readonly charges = new Map<string, number[]>();
  /** Number of unanswered sends, by attempt id. */
  readonly unclear = new Map<string, number>();
  /** Number of times that the user retried a failed or uncertain request. */
  readonly asks = new Map<string, number>();
  readonly #sent = new Map<string, Sent>();
  readonly #shares = new Map<string, number>();
  readonly #probes = new Map<string, number[]>();

  broken(promise: string): void {
    this.breaches.add(promise);
  }

  asked(id: string): void {
    this.asks.set(id, (this.asks.get(id) ?? 0) + 1);
  }

  probed(connectionId: string, at: number): void {
    const recent = [...(this.#probes.get(connectionId) ?? []), at].filter((one) => one > at - MINUTE);
    this.#probes.set(connectionId, recent);
    if (recent.length > MOST_PROBES_A_MINUTE) throw new Error('A queue probes without end.');
  }

  sent(attempt: Attempt, queue: Queue | undefined, apiKey: string, at: number): void {
    const before = this.#sent.get(rootOf(attempt));
    if (before && before.apiKey !== apiKey) this.broken('all sends of an attempt have the same API key');
    this.#sent.set(rootOf(attempt), before ?? { at, apiKey });
    // A send counts as unanswered until its answer arrives.
    this.unclear.set(attempt.id, (this.unclear.get(attempt.id) ?? 0) + 1);
    for (const { id } of membersOf(attempt, queue)) {
      const share = `${id} ${this.#shares.get(id) ?? 0}`;
      this.charges.set(share, [...(this.charges.get(share) ?? []), at]);
    }
  }

  ended(attempt: Attempt, outcome: AttemptResult): void {
    if (outcome.items.some(({ kind }) => kind === 'unclear')) return;
    this.unclear.set(attempt.id, (this.unclear.get(attempt.id) ?? 0) - 1);
  }

  /** @param promised short URL that the user saw before the service created the link, or null */
  finished(link: Link, promised: string | null): void {
    this.done.set(link.id, link.shortUrl);
    if (promised !== null && promised !== link.shortUrl) this.broken('a link has the short URL that was shown last');
  }

  changed(before: Queue, after: Queue, cause: Cause, now: number): void {
    const { blocked } = before.state;
    if (blocked && !after.state.blocked && !ENDS[blocked].includes(cause))
      this.broken('a block ends only by an event that may end it');
    if (before.state.paused !== after.state.paused && cause !== 'hold')
      this.broken('only the user pauses a queue and resumes it');
    if (before.state.paused && cause === 'send') this.broken('a paused queue sends nothing');
    const earlier = new Map(before.requests.map((request) => [request.id, request]));
    for (const request of after.requests) {
      const was = earlier.get(request.id);
      if (!was) continue;
      if (request.sends.length < was.sends.length) {
        this.#newShare(request.id);
        if (!ASKS.includes(cause)) this.broken('only the user resets the daily limit of a request');
      }
      if (request.state !== was.state && request.state === 'uncertain') this.#undecided(request, before, cause, now);
    }
  }

  #undecided(request: Request, before: Queue, cause: Cause, now: number): void {
    if (request.problem === null) this.broken('an uncertain request has a reason');
    if (!isIdempotent(before.connection) || cause === 'save' || cause === 'move') return;
    const attempt = before.attempts.find(({ requestIds }) => requestIds.includes(request.id));
    const sent = attempt && this.#sent.get(rootOf(attempt));
    const isOld = this.isClockSet || (sent !== undefined && now - sent.at > 28 * DAY);
    const isWornOut = attempt !== undefined && attempt.sends >= 6;
    if (cause === 'leave' ? !isOld : !isWornOut) {
      this.broken(`at a service with idempotency keys, no request becomes uncertain too early (${cause})`);
    }
  }

  #newShare(id: string): void {
    this.#shares.set(id, (this.#shares.get(id) ?? 0) + 1);
  }
}

function rootOf({ id }: Attempt): string {
  return id.split('.')[0] ?? id;
}

function membersOf({ requestIds }: Attempt, queue: Queue | undefined): Request[] {
  return (queue?.requests ?? []).filter(({ id }) => requestIds.includes(id));
}
