import { QueueCommands } from '../../../src/background/commands/shorten-command.ts';
import { probeConnection } from '../../../src/background/probe-connection.ts';
import type { Target } from '../../../src/background/queue-runner.ts';
import { QueueRunner } from '../../../src/background/queue-runner.ts';
import type { Queue } from '../../../src/queue/types.ts';
import { findLink, openServer, sendAttempt } from '../../../src/servers/call-server.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import type { LinkLookup } from '../../../src/storage/links.ts';
import { type AllQueuesChange, type QueueChange, Store } from '../../../src/storage/store.ts';

/** State that all background workers of a history share: the true time and the random choices. */
export interface Fate {
  now: number;
  /** Difference in milliseconds between the computer's clock and the true time. */
  clockError: number;
  chance: () => number;
}

/**
 * Counts a background worker's external calls (database, browser and network), and kills the worker at call number
 * `steps`.
 */
class Mortality {
  readonly died: Promise<'died'>;
  #steps: number;
  #die: (value: 'died') => void;

  constructor(steps: number) {
    const { promise, resolve } = Promise.withResolvers<'died'>();
    this.died = promise;
    this.#die = resolve;
    this.#steps = steps;
  }

  /**
   * Runs `work` and returns its result, unless the background worker dies before or after the call. A dead worker
   * receives no results.
   */
  async through<T>(work: () => Promise<T>): Promise<T> {
    await this.#step();
    const result = await work();
    await this.#step();
    return result;
  }

  /** Kills the background worker at its next external call. */
  end(): void {
    this.#steps = 0;
  }

  #step(): Promise<void> | undefined {
    this.#steps -= 1;
    if (this.#steps > 0) return;
    this.#die('died');
    return new Promise(() => {});
  }
}

class MortalStore extends Store {
  readonly #mortality: Mortality;

  constructor(mortality: Mortality, clock: () => number) {
    super(openDatabase, clock);
    this.#mortality = mortality;
  }

  override queues(): Promise<Queue[]> {
    return this.#mortality.through(() => super.queues());
  }

  override update<T>(id: string, change: QueueChange<T>, lookup?: LinkLookup): Promise<T | null> {
    return this.#mortality.through(() => super.update(id, change, lookup));
  }

  override updateAll<T>(change: AllQueuesChange<T>): Promise<T> {
    return this.#mortality.through(() => super.updateAll(change));
  }
}

/**
 * A background worker with the real queue runner, commands and store that uses real HTTP. It dies after `steps`
 * external calls.
 */
export class MortalWorker {
  readonly commands: QueueCommands;
  readonly store: Store;
  readonly died: Promise<'died'>;
  /** Time at which the background worker has asked for an alarm, by the computer's clock. Null without an alarm. */
  wake: number | null = null;
  readonly #runner: QueueRunner;
  readonly #mortality: Mortality;
  readonly #clock: () => number;

  constructor(fate: Fate, steps: number) {
    const mortality = new Mortality(steps);
    this.#mortality = mortality;
    const { clockError } = fate;
    this.#clock = () => fate.now + clockError;
    const store = new MortalStore(mortality, this.#clock);
    const newId = () => crypto.randomUUID();
    this.store = store;
    this.died = mortality.died;
    this.#runner = new QueueRunner({
      store,
      clock: this.#clock,
      random: fate.chance,
      newId,
      online: () => true,
      ready: Promise.resolve(),
      permitted: () => mortality.through(async () => true),
      // Browsers resend a POST on a dead connection, but Node does not.
      send: (target, post) => mortality.through(() => sendAttempt(this.#serverOf(target), post)),
      probe: (target) => mortality.through(() => probeConnection(fetch, target)),
      lookUp: (target, link) => mortality.through(() => findLink(this.#serverOf(target), link)),
      wake: async (at) => {
        this.wake = at;
      },
      sleep: async () => {
        this.wake = null;
      },
      onFinished: () => {},
    });
    this.commands = new QueueCommands({
      store,
      newId,
      changed: () => void this.#runner.run().catch(() => undefined),
      waitForFirstSync: async () => {},
    });
  }

  /** Runs the queues until no request is due or the background worker dies. */
  run(): Promise<'waits' | 'died'> {
    return Promise.race([this.#runner.run().then(() => 'waits' as const), this.died]);
  }

  /** Kills this background worker because another worker replaces it. */
  end(): void {
    this.#mortality.end();
  }

  /** Milliseconds until the alarm of this background worker. Null without an alarm. */
  get dueIn(): number | null {
    return this.wake === null ? null : Math.max(0, this.wake - this.#clock());
  }

  #serverOf({ connection, apiKey, now }: Target) {
    return openServer(fetch, connection, apiKey, now);
  }
}
