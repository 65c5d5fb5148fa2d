import { beginAttempt, repeatAttempt } from '../../../src/queue/begin-attempt.ts';
import { type Clock, startClock } from '../../../src/queue/clock.ts';
import { adopt, movedRequests, reconnected, savedAgain } from '../../../src/queue/connection.ts';
import { endHalt } from '../../../src/queue/halt.ts';
import { NO_OPTIONS, newQueue } from '../../../src/queue/initial.ts';
import { nextStep, type Step } from '../../../src/queue/next-step.ts';
import { applyProbe, type ProbeResult } from '../../../src/queue/probe.ts';
import { recover } from '../../../src/queue/recover.ts';
import {
  cancel,
  enqueue,
  forgetPrivate,
  leaveToPerson,
  networkReturned,
  retry,
  tryNow,
} from '../../../src/queue/requests.ts';
import { settle } from '../../../src/queue/settle.ts';
import type { Attempt, Connection, Queue, Request, Time } from '../../../src/queue/types.ts';
import { withClock } from '../../../src/queue/with-clock.ts';
import { specOnly } from './given.ts';
import { type Cause, Chronicle } from './model-chronicle.ts';
import { outcomeOf } from './model-outcome.ts';
import { dateOf, type ModelAnswer, type ModelService } from './model-service.ts';

const FETCH_LIMIT_MS = 20_000;
const PROBE_LIMIT_MS = 10_000;

/** Something on its way between a queue and its service. Nothing is before `endsAt`, when what came of it is known. */
interface Flight {
  connectionId: string;
  /** When it reaches the service; null: never, or it has. */
  arrivesAt: number | null;
  arrive: () => void;
  endsAt: number;
  end: () => void;
}

interface Login {
  service: ModelService;
  apiKey: string;
}

/** A computer with its worker, its database and its person, and services whose clocks are right. */
export class World {
  /** True time; the computer's clock shows `now + clockError`. */
  now = Date.UTC(2026, 2, 28, 9, 30);
  clockError = 0;
  online = true;
  privateOpen = false;
  readonly services: ModelService[];
  readonly queues = new Map<string, Queue>();
  readonly logins = new Map<string, Login>();
  readonly chronicle = new Chronicle();
  unassigned: Request[] = [];
  readonly #chance: () => number;
  readonly #denied = new Set<string>();
  readonly #reachedAt = new Map<string, number>();
  #flights: Flight[] = [];
  /** What the monotonic clock shows: it stands still while the computer sleeps. */
  #awake = 0;
  #ids = 0;
  #clock: Clock;

  constructor(services: ModelService[], chance: () => number) {
    this.services = services;
    this.#chance = chance;
    this.#clock = this.#startClock();
    for (const service of services) this.connect(service);
  }

  /** The person adds a connection to a service, with a key of its own. Returns the connection's id. */
  connect(service: ModelService): string {
    const id = this.#newId('connection');
    const connection: Connection = { ...specOnly, id, baseUrl: service.baseUrl, serviceReadAt: null };
    this.logins.set(id, { service, apiKey: service.issueKey() });
    this.queues.set(id, newQueue(connection));
    this.save(id);
    return id;
  }

  /** The person saves a connection again: as it is, with another key, or at another service. It is probed, as ever. */
  save(id: string, other: 'same' | 'key' | ModelService = 'same'): void {
    const before = this.logins.get(id);
    if (!before) return;
    const service = typeof other === 'object' ? other : before.service;
    const login = other === 'same' ? before : { service, apiKey: service.issueKey() };
    const found = this.#probeNow(login);
    if (found?.key === 'refused') return;
    this.logins.set(id, login);
    const isElsewhere = service !== before.service;
    this.#transact(id, isElsewhere ? 'move' : 'save', (queue, time) => {
      const { baseUrl } = service;
      const connection = { ...queue.connection, baseUrl };
      const newKey = () => this.#newId('saved');
      const saved = other === 'same' ? savedAgain(queue, connection, newKey) : reconnected(queue, connection, newKey);
      return applyProbe(adopt(saved, this.unassigned), found, time, this.#chance());
    });
    this.unassigned = [];
  }

  /** The person forgets a connection. What waits goes to another, is kept for the next one, or is dropped. */
  forget(id: string, waiting: 'move' | 'keep' | 'drop'): void {
    const queue = this.queues.get(id);
    if (!queue) return;
    this.queues.delete(id);
    this.logins.delete(id);
    const [target] = this.queues.keys();
    if (waiting === 'drop') for (const request of queue.requests) this.chronicle.givenUp.add(request.id);
    else if (waiting === 'move' && target) this.#transact(target, 'move', (other) => adopt(other, queue.requests));
    else this.unassigned = [...this.unassigned, ...movedRequests(queue.requests, null)];
    this.chronicle.moved(queue);
    this.#check();
  }

  /** The person asks for a link. `name` says what kind of URL it is. */
  accept(id: string, name: string, part: { groupId?: string | null; private?: boolean } = {}): void {
    if (!this.queues.has(id) || (part.private && !this.privateOpen)) return;
    const order = { id: name, url: `https://x.example/${name}`, title: name, options: NO_OPTIONS };
    const rest = { groupId: null, source: 'popup', private: false, ...part } as const;
    this.chronicle.accepted.set(name, rest.private);
    this.#transact(id, 'accept', (queue, time) =>
      enqueue(queue, [{ ...order, ...rest }], () => this.#newId('key'), time),
    );
  }

  cancel(id: string): void {
    for (const connectionId of this.queues.keys()) {
      this.#transact(connectionId, 'cancel', (queue) => {
        const next = cancel(queue, [id]);
        if (next !== queue) this.chronicle.givenUp.add(id);
        return next;
      });
    }
  }

  retry(id: string): void {
    for (const [connectionId, { requests }] of this.queues) {
      const request = requests.find((one) => one.id === id);
      if (!request) continue;
      if (request.state === 'undecided' || request.state === 'failed') this.chronicle.asked(id);
      this.#transact(connectionId, 'retry', (queue) => retry(queue, id, this.#newId('again')));
    }
  }

  tryNow(id: string): void {
    this.#transact(id, 'try-now', (queue) => tryNow({ ...queue, state: endHalt(queue.state, 'person_retries') }));
  }

  /** The person takes the browser's access to a service away, or gives it back. */
  permit(service: ModelService, isPermitted: boolean): void {
    if (!isPermitted) {
      this.#denied.add(service.baseUrl);
      return;
    }
    this.#denied.delete(service.baseUrl);
    for (const [id, { connection }] of this.queues) {
      if (connection.baseUrl !== service.baseUrl) continue;
      this.#transact(id, 'grant', (queue) => ({ ...queue, state: endHalt(queue.state, 'permission_granted') }));
    }
  }

  setOnline(online: boolean): void {
    this.online = online;
    if (online) for (const id of this.queues.keys()) this.#transact(id, 'online', networkReturned);
  }

  openPrivate(): void {
    this.privateOpen = true;
  }

  /** The last private window closes, at whatever moment. */
  closePrivate(): void {
    this.privateOpen = false;
    this.unassigned = this.unassigned.filter((request) => !request.private);
    this.chronicle.privateLinks.clear();
    for (const id of this.queues.keys()) this.#transact(id, 'close-private', forgetPrivate);
    this.#check();
  }

  /** The worker dies, and another starts after `downFor` milliseconds. */
  restart(downFor: number): void {
    // What had not arrived yet may have left the computer all the same.
    for (const flight of this.#flights) if (flight.arrivesAt !== null && this.#chance() < 0.5) flight.arrive();
    this.#flights = [];
    this.#reachedAt.clear();
    this.#advance(this.now + downFor);
    this.#clock = this.#startClock();
    for (const id of this.queues.keys()) this.#transact(id, 'recover', recover);
  }

  /** The computer sleeps, and while it does somebody may set its clock. What was on its way is answered or lost. */
  sleep(ms: number, jump: number): void {
    for (const flight of this.#flights) {
      if (flight.arrivesAt !== null && this.#chance() < 0.5) flight.arrive();
      flight.arrivesAt = null;
    }
    this.now += ms;
    this.clockError += jump;
    for (const flight of this.#flights) flight.endsAt = this.now;
  }

  /** Lets `ms` of true time pass, every queue being served whenever something is due. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      this.#endFlights();
      const wakes = [...this.queues.keys()].map((id) => this.#serve(id) ?? until);
      const flights = this.#flights.flatMap(({ arrivesAt, endsAt }) => [arrivesAt ?? endsAt, endsAt]);
      const next = Math.min(until, ...wakes, ...flights);
      if (next >= until) break;
      this.#advance(Math.max(this.now, next));
    }
    this.#advance(until);
  }

  /** Takes whatever steps a queue has to take now. Returns when (true time) it is to be served again; null: no time. */
  #serve(id: string): number | null {
    for (let steps = 0; steps < 1_000; steps += 1) {
      const queue = this.queues.get(id);
      if (!queue || this.#flights.some(({ connectionId }) => connectionId === id)) return null;
      const time = this.#clock();
      const around = { online: this.online, reachedAt: this.#reachedAt.get(id) ?? null };
      const step = nextStep(this.#withClock(queue, time), time, around);
      if (step.kind === 'idle' || step.kind === 'halted') return null;
      if (step.kind === 'wait') return step.until === null ? null : this.now + Math.max(1, step.until - time.now);
      this.#take(id, step);
    }
    throw new Error('A queue takes steps for ever.');
  }

  #take(id: string, step: Step): void {
    const login = this.logins.get(id);
    if (!login) throw new Error('Every connection has a key.');
    if (step.kind === 'leave') {
      this.#transact(id, 'leave', (queue) => leaveToPerson(queue, [step.attemptId]));
    } else if (this.#denied.has(login.service.baseUrl)) {
      this.#transact(id, 'deny', (queue) => ({ ...queue, state: { ...queue.state, halt: 'permission' } }));
    } else if (step.kind === 'probe') this.#probe(id, login);
    else if (step.kind === 'send') {
      const attemptId = this.#newId('attempt');
      this.#transact(id, 'send', (queue, time) => beginAttempt(queue, step.requestIds, attemptId, time));
      this.#send(id, login, attemptId);
    } else if (step.kind === 'resend') {
      this.#transact(id, 'send', (queue, time) => repeatAttempt(queue, step.attemptId, time));
      this.#send(id, login, step.attemptId);
    }
  }

  #probe(id: string, login: Login): void {
    this.chronicle.probed(id, this.now);
    const isDown = login.service.weather === 'down';
    const endsAt = this.now + (isDown && this.#chance() < 0.5 ? PROBE_LIMIT_MS : 50);
    const end = () => {
      const found = this.#probeNow(login);
      if (found) this.#reachedAt.set(id, this.#clock().now);
      if (this.logins.get(id) !== login) return;
      this.#transact(id, 'probe', (queue, time) => applyProbe(queue, found, time, this.#chance()));
    };
    this.#flights.push({ connectionId: id, arrivesAt: null, arrive: () => undefined, endsAt, end });
  }

  /** What a probe finds that ends now. */
  #probeNow({ service, apiKey }: Login): ProbeResult {
    if (service.weather === 'down') return null;
    const isSpecOnly = service.kind === 'spec-only';
    const refused = service.weather === 'no-key' && !isSpecOnly;
    const key = refused ? 'refused' : isSpecOnly ? 'unknown' : 'accepted';
    return { date: dateOf(this.now), limits: service.limits(this.now, apiKey), service: service.info, key };
  }

  #send(id: string, { service, apiKey }: Login, attemptId: string): void {
    const attempt = this.queues.get(id)?.attempts.find((one) => one.id === attemptId);
    if (!attempt) throw new Error('The attempt was begun.');
    this.chronicle.sent(attempt, this.queues.get(id), apiKey, { ...this.#clock(), now: this.now });
    const { weather } = service;
    const isKilled = weather === 'killed-before' || weather === 'killed-after';
    const neverArrives = weather === 'down' || weather === 'lost-before' || weather === 'killed-before';
    const travelMs = weather === 'slow' || this.#chance() < 0.1 ? Math.ceil(this.#chance() * 9_000) : 40;
    let answer: ModelAnswer | null = null;
    const flight: Flight = {
      connectionId: id,
      arrivesAt: neverArrives ? null : this.now + travelMs,
      arrive: () => {
        flight.arrivesAt = null;
        answer = service.post(this.now, apiKey, attempt);
        if (answer.status === 'lost') flight.endsAt = this.now + FETCH_LIMIT_MS;
      },
      endsAt: this.now + (neverArrives && !isKilled ? FETCH_LIMIT_MS : 2 * travelMs),
      end: () => {
        if (!isKilled) return this.#settle(id, attempt, answer, service);
        service.weather = 'fair';
        this.restart(0);
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
    const outcome = outcomeOf(answer ?? { ...none, results: [] }, attempt, service.kind);
    if (outcome.answered) this.#reachedAt.set(id, this.#clock().now);
    this.chronicle.ended(attempt, outcome);
    this.#transact(id, 'settle', (queue, time) => {
      const { queue: next, links } = settle(queue, attempt, outcome, time, this.#chance());
      for (const link of links) this.chronicle.finished(link);
      return next;
    });
  }

  #endFlights(): void {
    for (let due = this.#due(); due; due = this.#due()) {
      if (due.arrivesAt !== null && due.arrivesAt <= this.now) due.arrive();
      if (due.endsAt > this.now) continue;
      this.#flights = this.#flights.filter((flight) => flight !== due);
      due.end();
    }
  }

  #due(): Flight | undefined {
    return this.#flights.find(({ arrivesAt, endsAt }) => endsAt <= this.now || (arrivesAt ?? endsAt) <= this.now);
  }

  /** Reads, decides and writes, as the store does, and holds what came of it against the promises. */
  #transact(id: string, cause: Cause, rule: (queue: Queue, time: Time) => Queue): void {
    const stored = this.queues.get(id);
    if (!stored) return;
    const time = this.#clock();
    const before = this.#withClock(stored, time);
    const next = rule(before, time);
    if (next === stored) return;
    this.queues.set(id, { ...next, state: { ...next.state, latestTime: time.now } });
    this.chronicle.changed(before, next, cause, this.now);
    if (cause !== 'close-private') this.#check();
  }

  #withClock(queue: Queue, time: Time): Queue {
    const moved = withClock(queue, time);
    if (moved !== queue) this.queues.set(queue.connection.id, moved);
    return moved;
  }

  /** Nothing of a private window is there once the last of them is closed. */
  #check(): void {
    if (this.privateOpen) return;
    const queues = [...this.queues.values()];
    const all = [...this.unassigned, ...queues.flatMap(({ requests, attempts }) => [...requests, ...attempts])];
    const left = all.filter((one) => one.private).length + this.chronicle.privateLinks.size;
    if (left > 0) this.chronicle.broken('private data is gone whenever no private window is open');
  }

  #advance(to: number): void {
    this.#awake += to - this.now;
    this.now = to;
  }

  #startClock(): Clock {
    const clocks = { wall: () => this.now + this.clockError, monotonic: () => this.#awake };
    return startClock(clocks, () => this.#newId('worker'));
  }

  #newId(what: string): string {
    this.#ids += 1;
    return `${what}-${this.#ids}`;
  }
}
