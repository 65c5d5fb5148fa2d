import type { Clock } from '../queue/clock.ts';
import type { Look } from '../queue/look.ts';
import { looked } from '../queue/look.ts';
import { type Action, nextAction, type Surroundings } from '../queue/next.ts';
import type { Outcome } from '../queue/outcome.ts';
import { recover } from '../queue/recover.ts';
import { beginAttempt, repeatAttempt } from '../queue/send.ts';
import { settle } from '../queue/settle.ts';
import { needsPerson } from '../queue/standing.ts';
import type { Attempt, ConnectionInfo, Link, Request, Snapshot, Time } from '../queue/types.ts';
import type { Step, Store } from '../storage/store.ts';

/** When a background that died while it sent is woken, in milliseconds: later than any send may take. */
const BACKSTOP_MS = 30_000;

/** Everything outside that the pump works with. */
export interface Doors {
  store: Store;
  clock: Clock;
  /** A number in [0, 1). */
  chance: () => number;
  online: () => boolean;
  permitted: (connection: ConnectionInfo) => Promise<boolean>;
  send: (connection: ConnectionInfo, attempt: Attempt) => Promise<Outcome>;
  /** Looks at the service; what it found besides is the service document, where there is one. */
  look: (connection: ConnectionInfo) => Promise<{ told: Look; service: ConnectionInfo['service'] }>;
  wakeAt: (until: number | null) => Promise<void>;
  sleep: () => Promise<void>;
  settled: (arrivals: Arrival[], stuck: Request[]) => Promise<void>;
}

/** A link, and how long its request had been waiting for it, in milliseconds. */
export interface Arrival {
  link: Link;
  waited: number;
}

/** Moves the queue on, one action at a time, for as long as there is one to take. */
export class Pump {
  readonly #doors: Doors;
  #recovered: Promise<void> | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  #reached: { connectionId: string; at: number } | null = null;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** Takes over from the life before, once. Whoever is about to change the queue awaits it. */
  recovered(): Promise<void> {
    if (this.#recovered) return this.#recovered;
    const recovered = this.#doors.store.transact((snapshot, time) => ({
      snapshot: recover(snapshot, time),
      value: undefined,
    }));
    // One that failed has taken over nothing: whoever comes next tries again.
    recovered.catch(() => {
      if (this.#recovered === recovered) this.#recovered = null;
    });
    this.#recovered = recovered;
    return recovered;
  }

  /** Something may be due: moves on until nothing is. Callers at one time share one run. */
  run(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.recovered();
      while (this.#again) {
        this.#again = false;
        while (await this.#step());
      }
    } catch (error) {
      // Whatever was in flight has no end now: the next run takes over from this one as from a life before.
      this.#recovered = null;
      await this.#doors.wakeAt(this.#doors.clock().now + BACKSTOP_MS);
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /** Takes the next action. False where there is none to take now. */
  async #step(): Promise<boolean> {
    const { action, connection } = await this.#doors.store.transact((snapshot, time) => ({
      snapshot,
      value: { action: nextAction(snapshot, time, this.#surroundings(snapshot)), connection: snapshot.connection },
    }));
    if (action.kind === 'wait') await this.#doors.wakeAt(action.until);
    if (action.kind === 'idle' || action.kind === 'held') await this.#doors.sleep();
    if (!connection || (action.kind !== 'look' && action.kind !== 'send' && action.kind !== 'resend')) return false;
    if (!(await this.#doors.permitted(connection))) return this.#haltWithoutPermission(connection);
    // A background that dies on the way has to wake again, to say what became of it.
    await this.#doors.wakeAt(this.#doors.clock().now + BACKSTOP_MS);
    return action.kind === 'look' ? this.#look(connection) : this.#send(action);
  }

  async #send(planned: Action): Promise<boolean> {
    // Between the plan and this transaction anything may have been accepted or cancelled: it decides anew.
    const begun = await this.#doors.store.transact(
      (snapshot, time): Step<{ attempt: Attempt; connection: ConnectionInfo } | null> => {
        const action = nextAction(snapshot, time, this.#surroundings(snapshot));
        if (action.kind !== planned.kind) return { snapshot, value: null };
        const next =
          action.kind === 'send' ? beginAttempt(snapshot, action.requestIds, time) : repeatAttempt(snapshot, time);
        const { attempt } = next.queue;
        return { snapshot: next, value: attempt && next.connection && { attempt, connection: next.connection } };
      },
    );
    if (!begun) return true;
    const outcome = await this.#doors.send(begun.connection, begun.attempt);
    if (outcome.answered) this.#noteReached(begun.connection);
    const { arrivals, stuck } = await this.#doors.store.transact((snapshot, time) => {
      const settled = settle(snapshot, outcome, time, this.#doors.chance());
      const sent = settled.snapshot.requests.filter((request) => begun.attempt.requestIds.includes(request.id));
      const arrivals = settled.links.map((link) => ({ link, waited: waited(snapshot, link, time) }));
      return { ...settled, value: { arrivals, stuck: sent.filter(needsPerson(settled.snapshot)) } };
    });
    // Telling is a courtesy: whatever goes wrong with it, what waits is sent.
    await this.#doors.settled(arrivals, stuck).catch(() => undefined);
    return true;
  }

  async #look(connection: ConnectionInfo): Promise<boolean> {
    const { told, service } = await this.#doors.look(connection);
    if (told) this.#noteReached(connection);
    await this.#forSame(connection, (snapshot, time) => {
      const next = looked(snapshot, told, time, this.#doors.chance());
      return service ? { ...next, connection: { ...connection, service } } : next;
    });
    return true;
  }

  async #haltWithoutPermission(connection: ConnectionInfo): Promise<boolean> {
    await this.#forSame(connection, (snapshot) => ({ ...snapshot, queue: { ...snapshot.queue, halt: 'permission' } }));
    return true;
  }

  /** What was found out of one connection says nothing of another that has taken its place meanwhile. */
  #forSame(connection: ConnectionInfo, rule: (snapshot: Snapshot, time: Time) => Snapshot): Promise<null> {
    return this.#doors.store.transact((snapshot, time) => ({
      snapshot: snapshot.connection?.id === connection.id ? rule(snapshot, time) : snapshot,
      value: null,
    }));
  }

  #noteReached({ id }: ConnectionInfo): void {
    this.#reached = { connectionId: id, at: this.#doors.clock().now };
  }

  #surroundings({ connection }: Snapshot): Surroundings {
    const reached = this.#reached?.connectionId === connection?.id ? this.#reached : null;
    return { online: this.#doors.online(), reachedAt: reached?.at ?? null };
  }
}

function waited(before: Snapshot, link: Link, time: Time): number {
  return time.now - (before.requests.find((request) => request.id === link.id)?.createdAt ?? time.now);
}
