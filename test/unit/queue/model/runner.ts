import { expire, markUncertain } from '../../../../src/queue/cancel-retry-pause.ts';
import { nextStep, type Step } from '../../../../src/queue/next-step.ts';
import { applyProbe } from '../../../../src/queue/results/apply-probe.ts';
import { type AppliedResult, applyResult } from '../../../../src/queue/results/apply-result.ts';
import { applyLookUp, linksToLookUp } from '../../../../src/queue/results/look-up-created-links.ts';
import { promisedShortUrl } from '../../../../src/queue/short-code-generator.ts';
import { resendAttempt, startAttempt } from '../../../../src/queue/start-attempt.ts';
import type { Attempt, Queue } from '../../../../src/queue/types.ts';
import type { ProbeResult } from '../../../../src/servers/adapter.ts';
import { NO_LIMITS } from '../support/queue-builders.ts';
import type { Computer, Login } from './computer.ts';
import { outcomeOf } from './outcome.ts';
import type { ModelAnswer, ModelService } from './service.ts';

const FETCH_LIMIT_MS = 20_000;
const PROBE_LIMIT_MS = 10_000;

/** An HTTP request between a queue and its service. The result is unknown before `endsAt`. */
interface Flight {
  connectionId: string;
  /** Time at which the request reaches the service. Null if the request is lost or has arrived already. */
  arrivesAt: number | null;
  arrive: () => void;
  endsAt: number;
  end: () => void;
}

/**
 * Simulates the background worker's queue runner with model services. Each queue sends at most one request at a time.
 */
export class ModelRunner {
  readonly #computer: Computer & { restart(downFor: number): void };
  readonly #reachedAt = new Map<string, number>();
  #flights: Flight[] = [];

  constructor(computer: Computer & { restart(downFor: number): void }) {
    this.#computer = computer;
  }

  /** Advances the true time by `ms` and runs each queue when it is due. */
  pass(ms: number): void {
    const until = this.#computer.now + ms;
    for (;;) {
      this.#endFlights();
      const wakes = [...this.#computer.queues.keys()].map((id) => this.#serve(id) ?? until);
      const flights = this.#flights.flatMap(({ arrivesAt, endsAt }) => [arrivesAt ?? endsAt, endsAt]);
      const next = Math.min(until, ...wakes, ...flights);
      if (next >= until) break;
      this.#computer.advance(Math.max(this.#computer.now, next));
    }
    this.#computer.advance(until);
  }

  /** Kills the background worker. Requests in flight may still reach the service. */
  die(): void {
    for (const flight of this.#flights) if (flight.arrivesAt !== null && this.#computer.chance() < 0.5) flight.arrive();
    this.#flights = [];
    this.#reachedAt.clear();
  }

  /**
   * Puts the computer to sleep. Each request in flight has either arrived or is lost, and the background worker
   * learns the result on waking.
   */
  fallAsleep(): void {
    for (const flight of this.#flights) {
      if (flight.arrivesAt !== null && this.#computer.chance() < 0.5) flight.arrive();
      flight.arrivesAt = null;
    }
  }

  wakeUp(): void {
    for (const flight of this.#flights) flight.endsAt = this.#computer.now;
  }

  /** Runs all due steps of a queue. Returns the true time of the next step, or null. */
  #serve(id: string): number | null {
    for (let steps = 0; steps < 1_000; steps += 1) {
      const queue = this.#computer.queue(id);
      if (!queue || this.#flights.some(({ connectionId }) => connectionId === id)) return null;
      const time = this.#computer.time();
      const around = { online: this.#computer.online, reachedAt: this.#reachedAt.get(id) ?? null };
      const step = nextStep(queue, time, around);
      if (step.kind === 'idle' || step.kind === 'paused' || step.kind === 'blocked') return null;
      if (step.kind === 'wait') return step.until === null ? null : this.#computer.now + Math.max(1, step.until - time);
      this.#take(id, step);
    }
    throw new Error('A queue takes steps without end.');
  }

  #take(id: string, step: Step): void {
    const login = this.#computer.logins.get(id);
    if (!login) throw new Error('The connection has no API key.');
    if (step.kind === 'expire') {
      this.#computer.update(id, 'expire', (queue) => expire(queue, step.requestIds));
    } else if (step.kind === 'mark_uncertain') {
      this.#computer.update(id, 'leave', (queue) => markUncertain(queue, [step.attemptId]));
    } else if (this.#computer.denied.has(login.service.baseUrl)) {
      this.#computer.update(id, 'deny', (queue) => ({ ...queue, state: { ...queue.state, blocked: 'permission' } }));
    } else if (step.kind === 'probe') this.#probe(id, login);
    else if (step.kind === 'look_up') this.#lookUp(id, login, step.attemptId);
    else if (step.kind === 'send') {
      const attemptId = this.#computer.newId('attempt');
      this.#computer.update(id, 'send', (queue, time) => startAttempt(queue, step.requestIds, attemptId, time));
      this.#send(id, login, attemptId);
    } else if (step.kind === 'resend') {
      this.#computer.update(id, 'send', (queue, time) => resendAttempt(queue, step.attemptId, time));
      this.#send(id, login, step.attemptId);
    }
  }

  #probe(id: string, login: Login): void {
    this.#computer.chronicle.probed(id, this.#computer.now);
    const isDown = login.service.weather === 'down' || login.service.weather === 'dead';
    const endsAt = this.#computer.now + (isDown && this.#computer.chance() < 0.5 ? PROBE_LIMIT_MS : 50);
    const end = () => {
      const found = probeNow(this.#computer.now, login);
      if (found) this.#reachedAt.set(id, this.#computer.time());
      if (this.#computer.logins.get(id) !== login) return;
      this.#computer.update(id, 'probe', (queue, time) => applyProbe(queue, found, time, this.#computer.chance()));
    };
    this.#flights.push({ connectionId: id, arrivesAt: null, arrive: () => undefined, endsAt, end });
  }

  #lookUp(id: string, { service }: Login, attemptId: string): void {
    this.#computer.update(id, 'look-up', (queue, time) => {
      const attempt = queue.attempts.find((one) => one.id === attemptId);
      if (!attempt) throw new Error('The attempt is not open.');
      const links = [...linksToLookUp(attempt, queue.requests)];
      const found = new Map(links.map(([requestId, link]) => [requestId, service.find(link)]));
      return this.#finished(queue, applyLookUp(queue, attemptId, found, time, this.#computer.chance()));
    });
  }

  #finished(before: Queue, { queue, links }: AppliedResult): Queue {
    for (const link of links) {
      const request = before.requests.find(({ id }) => id === link.id);
      this.#computer.chronicle.finished(link, request ? promisedShortUrl(request, before.connection) : null);
    }
    return queue;
  }

  #send(id: string, { service, apiKey }: Login, attemptId: string): void {
    const attempt = this.#computer.queues.get(id)?.attempts.find((one) => one.id === attemptId);
    if (!attempt) throw new Error('The attempt was not started.');
    this.#computer.chronicle.sent(attempt, this.#computer.queues.get(id), apiKey, this.#computer.now);
    const { weather } = service;
    const isKilled = weather === 'killed-before' || weather === 'killed-after';
    const neverArrives = weather === 'down' || weather === 'lost-before' || weather === 'killed-before';
    const travelMs =
      weather === 'slow' || this.#computer.chance() < 0.1 ? Math.ceil(this.#computer.chance() * 9_000) : 40;
    let answer: ModelAnswer | null = null;
    const flight: Flight = {
      connectionId: id,
      arrivesAt: neverArrives ? null : this.#computer.now + travelMs,
      arrive: () => {
        flight.arrivesAt = null;
        answer = service.post(this.#computer.now, apiKey, attempt);
        if (answer.status === 'lost') flight.endsAt = this.#computer.now + FETCH_LIMIT_MS;
      },
      endsAt: this.#computer.now + (neverArrives && !isKilled ? FETCH_LIMIT_MS : 2 * travelMs),
      end: () => {
        if (!isKilled) return this.#settle(id, attempt, answer, service);
        service.weather = 'fair';
        this.#computer.restart(0);
      },
    };
    this.#flights.push(flight);
  }

  #settle(id: string, attempt: Attempt, answer: ModelAnswer | null, service: ModelService): void {
    const none = {
      status: 'lost',
      results: [],
      retryAfterSeconds: null,
      date: 0,
      limits: service.limits(0, ''),
    } as const;
    const outcome = outcomeOf(answer ?? { ...none, results: [] }, attempt);
    if (outcome.answered) this.#reachedAt.set(id, this.#computer.time());
    this.#computer.chronicle.ended(attempt, outcome);
    this.#computer.update(id, 'settle', (queue, time) => {
      const { chance } = this.#computer;
      return this.#finished(queue, applyResult(queue, attempt, outcome, time, chance()));
    });
  }

  #endFlights(): void {
    for (let due = this.#due(); due; due = this.#due()) {
      if (due.arrivesAt !== null && due.arrivesAt <= this.#computer.now) due.arrive();
      if (due.endsAt > this.#computer.now) continue;
      this.#flights = this.#flights.filter((flight) => flight !== due);
      due.end();
    }
  }

  #due(): Flight | undefined {
    return this.#flights.find(
      ({ arrivesAt, endsAt }) => endsAt <= this.#computer.now || (arrivesAt ?? endsAt) <= this.#computer.now,
    );
  }
}

export function probeNow(now: number, { service, apiKey }: Login): ProbeResult {
  if (service.weather === 'down' || service.weather === 'dead') return null;
  const isSpecOnly = service.kind === 'spec-only';
  if (service.weather === 'maintenance') return { limits: NO_LIMITS, service: null, key: 'unknown' };
  const refused = service.weather === 'no-key' && !isSpecOnly;
  const key = refused ? 'refused' : isSpecOnly ? 'unknown' : 'accepted';
  return {
    limits: service.limits(now, apiKey),
    service: service.info,
    key,
  };
}
