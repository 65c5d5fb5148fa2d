import { beginAttempt, repeatAttempt } from '../queue/begin-attempt.ts';
import type { Clock } from '../queue/clock.ts';
import { isIdempotent } from '../queue/features.ts';
import { endHalt } from '../queue/halt.ts';
import type { Minting } from '../queue/mint.ts';
import { nextStep, type Step, type Surroundings } from '../queue/next-step.ts';
import type { Outcome } from '../queue/outcome.ts';
import { applyProbe, type ProbeResult } from '../queue/probe.ts';
import { needsPerson } from '../queue/request-status.ts';
import { expire, leaveToPerson } from '../queue/requests.ts';
import { codeIn, settle } from '../queue/settle.ts';
import type { Attempt, Connection, Link, Queue, Request, Time } from '../queue/types.ts';
import { unprotected } from '../queue/unprotected.ts';
import type { Destination } from '../service/send.ts';
import type { About } from '../storage/links.ts';
import type { Rule } from '../storage/rule.ts';
import type { Store } from '../storage/store.ts';

/** Everything outside that taking a step works with. */
export interface StepDependencies {
  store: Store;
  clock: Clock;
  /** A number in [0, 1). */
  random: () => number;
  newId: () => string;
  minting: Minting;
  online: () => boolean;
  permitted: (connection: Connection) => Promise<boolean>;
  /** Keeps the browser from sending a POST twice by itself: see `connection-close.ts`. */
  closeConnections: (baseUrl: string) => Promise<void>;
  send: (destination: Destination, attempt: Attempt) => Promise<Outcome>;
  probe: (baseUrl: string, apiKey: string) => Promise<ProbeResult>;
  /** Requests have ended or need the person. Not waited for: whatever goes wrong with it, what waits is sent. */
  completed: (completed: Completed) => void;
}

/** What became of the requests of one attempt. */
export interface Completed {
  links: CompletedLink[];
  /** Requests that only the person can move on. */
  stuck: Request[];
  /** Requests that will not have the short URL that was handed out. */
  renamed: Request[];
  /** The ids of groups of which nothing is on its way any more. */
  groupIds: string[];
}

/** A link, and how long its request had been waiting for it, in milliseconds. */
export interface CompletedLink {
  link: Link;
  source: Request['source'];
  waitedMs: number;
  /** The person has had its short URL, or one that it was to have, since before it worked. */
  handedOut: boolean;
}

/** What a rule answered, and how what has begun with it comes to its end. */
export interface Begun<T> {
  value: T;
  finish: () => Promise<void>;
}

/** Takes the steps that `nextStep` decides on, each in transactions of its own. */
export class StepTaker {
  readonly #dependencies: StepDependencies;
  readonly #reachedAt = new Map<string, number>();

  constructor(dependencies: StepDependencies) {
    this.#dependencies = dependencies;
  }

  /** What the rules have to know of this worker about a queue. */
  surroundings({ connection }: Queue): Surroundings {
    return { online: this.#dependencies.online(), reachedAt: this.#reachedAt.get(connection.id) ?? null };
  }

  /** Takes a step. Where the queue has moved on meanwhile, it does nothing: the next step is decided anew. */
  async take(connection: Connection, step: Step): Promise<void> {
    if (step.kind === 'leave') return this.#end(connection.id, (queue) => leaveToPerson(queue, [step.attemptId]));
    if (step.kind === 'expire') return this.#end(connection.id, (queue) => expire(queue, step.requestIds));
    if (step.kind !== 'probe' && step.kind !== 'send' && step.kind !== 'resend') return;
    if (!(await this.#dependencies.permitted(connection))) {
      return this.#end(connection.id, (queue) =>
        isSameService(queue.connection, connection)
          ? { ...queue, state: { ...queue.state, halt: 'permission' } }
          : queue,
      );
    }
    // Before the probe already: it would leave an open socket behind, which the send then used.
    if (!isIdempotent(connection) && !(await this.#closesSockets(connection))) return;
    if (step.kind === 'probe') return this.#probe(connection);
    const begun = await this.begin(connection, step.kind, (queue) => ({ queue, value: null }));
    await begun?.finish();
  }

  /** Whether a send may begin without further ado. Where sockets have to be closed first, a probe comes first as well. */
  async maySend(connection: Connection): Promise<boolean> {
    return isIdempotent(connection) && this.#dependencies.permitted(connection);
  }

  /** Whether no socket is used twice. A browser that does not see to it holds the queue up, and the person is told. */
  async #closesSockets({ id, baseUrl }: Connection): Promise<boolean> {
    const { store, random, closeConnections } = this.#dependencies;
    try {
      await closeConnections(baseUrl);
      return true;
    } catch {
      await store.transact(id, (queue, time) => ({ queue: unprotected(queue, time, random()), value: null }));
      return false;
    }
  }

  /**
   * Lets `rule` decide on a queue, and begins in the same transaction what is the next step then, where that is a send or
   * a resend as planned: one wait for the disk instead of two.
   *
   * @returns what the rule answered, and how what was begun comes to its end; null: there is no such connection
   */
  async begin<T>(
    connection: Connection,
    planned: Step['kind'] | null,
    rule: Rule<T>,
    about?: About,
  ): Promise<Begun<T> | null> {
    const { store, newId } = this.#dependencies;
    const idempotent = isIdempotent(connection);
    // Connection, key and bytes of one moment: a key can never go to another address.
    const done = await store.transactWithKey(
      connection.id,
      (before, time, apiKey, known) => {
        const decided = rule(before, time, known);
        const { queue } = decided;
        // Between the plan and this transaction anything may have been accepted, cancelled or saved: it decides anew.
        const step = nextStep(queue, time, this.surroundings(queue));
        const same = isSameService(queue.connection, connection) && isIdempotent(queue.connection) === idempotent;
        const next = same && step.kind === planned ? beginStep(queue, step, newId(), time) : queue;
        const attempt = next === queue ? undefined : next.attempts.find(({ inFlight }) => inFlight);
        const destination = { baseUrl: connection.baseUrl, apiKey, idempotent, pacedBy: pacedBy(queue, time) };
        return { ...decided, queue: next, value: { value: decided.value, attempt, destination } };
      },
      about,
    );
    if (!done) return null;
    const { value, attempt, destination } = done.value;
    return { value, finish: async () => attempt && this.#finish(connection.id, attempt, destination) };
  }

  async #finish(id: string, attempt: Attempt, destination: Destination): Promise<void> {
    const { store, send, minting, random, completed } = this.#dependencies;
    const outcome = await send(destination, attempt);
    this.#noteReached(id, outcome.answered);
    // Its window may have closed meanwhile; private requests go alone. What cannot be noted is no reason to lose the answer.
    const [made] = outcome.items;
    if (attempt.private && made?.kind === 'created') {
      await store.markPrivate(codeIn(made.shortUrl)).catch(() => undefined);
    }
    const result = await store.transact(id, (queue, time) => {
      const settled = settle(queue, attempt, outcome, time, random(), minting);
      return { ...settled, value: completedBy(attempt, queue, settled.queue, settled.links, time) };
    });
    if (result) completed(result);
  }

  async #probe(connection: Connection): Promise<void> {
    const { store, probe, random } = this.#dependencies;
    const asked = await store.readWithKey(connection.id);
    if (!asked || !isSameService(asked.connection, connection)) return;
    const found = await probe(connection.baseUrl, asked.apiKey);
    // What was found out of one address and key says nothing of others that have taken their place meanwhile.
    const probed = await store.transactWithKey(connection.id, (queue, time, apiKey) => {
      const same = apiKey === asked.apiKey && isSameService(queue.connection, connection);
      const next = same ? applyProbe(queue, found, time, random()) : queue;
      return { queue: next, value: { idempotent: isIdempotent(next.connection), ended: endedBy(queue, next) } };
    });
    // One that honours keys no more was probed on a socket that stays open: it is probed again, on one that is closed.
    const leftOpen = isIdempotent(connection) && probed?.value.idempotent === false;
    this.#noteReached(connection.id, found !== null && !leftOpen);
    this.report(probed?.value.ended);
  }

  /** Ends requests without an answer, and reports them. */
  async #end(id: string, rule: (queue: Queue) => Queue): Promise<void> {
    const ended = await this.#dependencies.store.transact(id, (queue) => {
      const next = rule(queue);
      return { queue: next, value: endedBy(queue, next) };
    });
    this.report(ended);
  }

  /** Ends a halt for permission where the permission is there: the event of its grant may have been missed. */
  async endHaltOfPermission(connection: Connection): Promise<boolean> {
    if (!(await this.#dependencies.permitted(connection))) return false;
    await this.#dependencies.store.transact(connection.id, (queue) => {
      const isSame = isSameService(queue.connection, connection);
      return { queue: isSame ? { ...queue, state: endHalt(queue.state, 'permission_granted') } : queue, value: null };
    });
    return true;
  }

  /** Reports what came to its end without an answer to an attempt, where anything did. */
  report(ended: Ended | null | undefined): void {
    if (ended && ended.stuck.length + ended.groupIds.length > 0)
      this.#dependencies.completed({ links: [], renamed: [], ...ended });
  }

  #noteReached(id: string, reached: boolean): void {
    if (reached) this.#reachedAt.set(id, this.#dependencies.clock().now);
    else this.#reachedAt.delete(id);
  }
}

/** What of a queue came to its end without an answer to an attempt. */
export type Ended = Pick<Completed, 'stuck' | 'groupIds'>;

export function endedBy(before: Queue, after: Queue): Ended {
  return { stuck: newlyStuck(before, after), groupIds: endedGroups(before, after) };
}

/** The requests that only the person can move on now, and could move by themselves before. */
function newlyStuck(before: Queue, after: Queue): Request[] {
  const stuckBefore = new Set(before.requests.filter(needsPerson(before)).map(({ id }) => id));
  return after.requests.filter(needsPerson(after)).filter(({ id }) => !stuckBefore.has(id));
}

/** The groups of which something was on its way before, and nothing is after. */
function endedGroups(before: Queue, after: Queue): string[] {
  const left = groupsOnTheirWay(after);
  return [...groupsOnTheirWay(before)].filter((id) => !left.has(id));
}

function groupsOnTheirWay({ requests }: Queue): Set<string> {
  const isMoving = ({ state }: Request) => state !== 'failed' && state !== 'undecided';
  return new Set(requests.filter(isMoving).flatMap(({ groupId }) => groupId ?? []));
}

function beginStep(queue: Queue, step: Step, id: string, time: Time): Queue {
  if (step.kind === 'send') return beginAttempt(queue, step.requestIds, id, time);
  return step.kind === 'resend' ? repeatAttempt(queue, step.attemptId, time) : queue;
}

function isSameService(one: Connection, other: Connection): boolean {
  return one.id === other.id && one.baseUrl === other.baseUrl;
}

function pacedBy({ state }: Queue, time: Time): number | null {
  return state.lastEndedAt === null ? null : time.now - state.lastEndedAt;
}

function completedBy(attempt: Attempt, before: Queue, after: Queue, links: Link[], time: Time): Completed {
  const requests = new Map(before.requests.map((request) => [request.id, request]));
  const sent = after.requests.filter(({ id }) => attempt.requestIds.includes(id));
  return {
    links: links.map((link) => {
      const request = requests.get(link.id);
      return {
        link,
        source: request?.source ?? 'background',
        waitedMs: time.now - (request?.createdAt ?? time.now),
        handedOut: request?.handedOut !== undefined,
      };
    }),
    stuck: sent.filter(needsPerson(after)),
    renamed: sent.filter(
      ({ id, handedOut, minted }) => handedOut !== undefined && requests.get(id)?.minted?.code !== minted?.code,
    ),
    groupIds: endedGroups(before, after),
  };
}
