import { QueueCommands } from '../../../src/background/commands/shorten-command.ts';
import { QueueRunner, type Wake } from '../../../src/background/queue-runner.ts';
import { randomBytes } from '../../../src/queue/short-code-generator.ts';
import type { Queue, Time } from '../../../src/queue/types.ts';
import { sendAttempt } from '../../../src/services/terse/create-links.ts';
import { lookUp } from '../../../src/services/terse/find-created-links.ts';
import { probeResult, probeService } from '../../../src/services/terse/probe.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import type { LinkLookup } from '../../../src/storage/link-queries.ts';
import { Store } from '../../../src/storage/store.ts';
import type { AllQueuesChange, QueueChange } from '../../../src/storage/update-queues.ts';

/** State shared by all workers of a history: the true time and the random choices. */
export interface Fate {
  now: number;
  /** Difference between the computer's clock and the true time. */
  clockError: number;
  chance: () => number;
}

/** All outside calls pass through this class, and the worker dies at number `steps`. */
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
   * Runs `work` and returns its result, or dies before or after it. A dead worker gets no result and does nothing
   * more.
   */
  async through<T>(work: () => Promise<T>): Promise<T> {
    await this.#step();
    const result = await work();
    await this.#step();
    return result;
  }

  /** The worker dies at its next outside call. */
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

  constructor(mortality: Mortality, clock: () => Time) {
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

/** A worker with the real runner, commands and store over real HTTP. It dies after `steps` outside calls. */
export class MortalWorker {
  readonly commands: QueueCommands;
  readonly store: Store;
  readonly died: Promise<'died'>;
  /** Time at which it wants to be woken, by its own clock. Null if nothing is due. */
  wake: Wake | null = null;
  readonly #runner: QueueRunner;
  readonly #mortality: Mortality;
  readonly #clock: () => Time;

  constructor(fate: Fate, steps: number) {
    const mortality = new Mortality(steps);
    this.#mortality = mortality;
    const workerId = crypto.randomUUID();
    const { clockError } = fate;
    this.#clock = () => ({ now: fate.now + clockError, workerId });
    const store = new MortalStore(mortality, this.#clock);
    const newId = () => crypto.randomUUID();
    const minting = { newKey: newId, randomBytes };
    this.store = store;
    this.died = mortality.died;
    this.#runner = new QueueRunner({
      store,
      clock: this.#clock,
      random: fate.chance,
      newId,
      minting,
      online: () => true,
      permitted: () => mortality.through(async () => true),
      // Node does not resend a POST.
      closeConnections: async () => {},
      send: (destination, attempt) =>
        mortality.through(() => sendAttempt(fetch, destination, attempt, () => this.#clock().now)),
      probe: (baseUrl, apiKey, known) =>
        mortality.through(async () => probeResult(await probeService(fetch, baseUrl, apiKey, known))),
      lookUp: (destination, codes) => mortality.through(() => lookUp(fetch, destination, codes)),
      wake: async (wake) => {
        this.wake = wake;
      },
      sleep: async () => {
        this.wake = null;
      },
      onFinished: () => {},
    });
    this.commands = new QueueCommands({
      store,
      newId,
      minting,
      changed: () => void this.#runner.run().catch(() => undefined),
      acceptedPrivate: async () => {},
    });
  }

  /** Runs the queues until they wait or the worker dies. */
  run(): Promise<'waits' | 'died'> {
    return Promise.race([this.#runner.run().then(() => 'waits' as const), this.died]);
  }

  /** Another worker takes over, so this one starts nothing more. */
  end(): void {
    this.#mortality.end();
  }

  /** Milliseconds until it wants to be woken. Null if nothing is due. */
  get dueIn(): number | null {
    return this.wake?.at == null ? null : Math.max(0, this.wake.at - this.#clock().now);
  }
}
