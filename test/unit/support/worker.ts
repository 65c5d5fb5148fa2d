import { shortenPrivately } from '../../../src/background/commands/private-requests.ts';
import {
  cancelRequests,
  changeQueue,
  changeQueues,
  shorten,
} from '../../../src/background/commands/shorten-command.ts';
import { QueueRunner } from '../../../src/background/queue-runner.ts';
import type { WorkerContext } from '../../../src/background/worker-context.ts';
import type { Handlers, ShortenCommand } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import type { Finished } from '../../../src/queue/result.ts';
import type { Connection, Queue, ServiceInfo } from '../../../src/queue/types.ts';
import { newQueue, retry, setPaused, tryNow } from '../../../src/queue/user-actions.ts';
import type {
  AttemptResult,
  CreateRequest,
  Destination,
  Found,
  NewLink,
  ProbeResult,
  RequestResult,
} from '../../../src/servers/adapter.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { Store } from '../../../src/storage/store.ts';
import { answered, created as createdAt, NOW, specOnly, well } from '../queue/support/queue-builders.ts';
import { byPromises } from './disk.ts';

export { NOW };

let workers = 0;

/**
 * A background worker on the current database, with the real queue runner, commands and store, and with scripted
 * services. Time passes only if a test calls `pass`.
 */
export class TestWorker {
  /** Time of the computer's clock. */
  now: number;
  readonly store: Store;
  readonly runner: QueueRunner;
  readonly context: WorkerContext;
  readonly commands: ReturnType<typeof commandsOf>;
  /** Shortens a URL from a private window. */
  readonly shortenPrivately: Handlers['shorten-privately'];
  readonly sent: (CreateRequest & Destination)[] = [];
  readonly probed: string[] = [];
  readonly wakes: number[] = [];
  readonly completed: Finished[] = [];
  slept = 0;
  /**
   * True if the background worker sends accepted requests immediately, as in production. Otherwise a test runs the
   * queues.
   */
  sendsAtOnce = false;
  wake = async (at: number) => void this.wakes.push(at);
  /** Called while the background worker clears its alarm. Tests replace this function to make clearing slow. */
  whileSleeping = async () => {};
  /** Called while a request from a private window waits. */
  wait = async (ms: number): Promise<void> => this.pass(ms);
  /** Does nothing unless a test sets it to the real sync of links. */
  waitForFirstSync: (connectionId: string) => Promise<void> = async () => {};
  changes = 0;
  online = true;
  permitted = async (_baseUrl: string) => true;
  send: (attempt: CreateRequest, destination: Destination) => Promise<AttemptResult> = async ({ requestIds }) =>
    created(requestIds);
  probe: (baseUrl: string, apiKey: string) => Promise<ProbeResult> = async (baseUrl) => ({
    ...WELL,
    service: this.#services.get(baseUrl) ?? null,
  });
  lookUp: (link: NewLink) => Found | Promise<Found> = () => ({ state: 'unknown' });
  readonly lookedUp: string[] = [];
  readonly #services = new Map<string, ServiceInfo | null>();
  #ids = 0;

  constructor(ms = 0) {
    workers += 1;
    const worker = workers;
    this.now = NOW + ms;
    const onFinished = (finished: Finished) => void this.completed.push(finished);
    this.store = new Store(openDatabase, () => this.now, undefined, onFinished);
    const newId = () => `id-${worker}-${++this.#ids}`;
    const shared = {
      store: this.store,
      random: () => 0.5,
      newId,
      online: () => this.online,
      permitted: (baseUrl: string) => this.permitted(baseUrl),
      send: ({ baseUrl, apiKey }: Destination, attempt: CreateRequest) => {
        this.sent.push({ ...attempt, baseUrl, apiKey });
        return this.send(attempt, { baseUrl, apiKey });
      },
      lookUp: async (_target: unknown, link: NewLink) => {
        this.lookedUp.push(link.shortCode ?? '');
        return this.lookUp(link);
      },
    };
    this.runner = new QueueRunner({
      ...shared,
      clock: () => this.now,
      ready: Promise.resolve(),
      probe: ({ baseUrl, apiKey }) => {
        this.probed.push(baseUrl);
        return this.probe(baseUrl, apiKey);
      },
      wake: (at) => this.wake(at),
      sleep: async () => {
        this.slept += 1;
        await this.whileSleeping();
      },
      onFinished,
    });
    const changed = () => {
      this.changes += 1;
      if (this.sendsAtOnce) void this.runner.run().catch(() => undefined);
    };
    this.context = {
      ...shared,
      // Pages compare these times with the real time.
      clock: Date.now,
      fetch: (url, init) => fetch(url, init),
      changed,
      connected: () => {},
      waitForFirstSync: (id) => this.waitForFirstSync(id),
      takeTurn: (id, work) => this.runner.takeTurn(id, work),
      wait: (ms) => this.wait(ms),
    };
    this.commands = commandsOf(this.context);
    this.shortenPrivately = (command) => shortenPrivately(this.context, command);
  }

  pass(ms: number): void {
    this.now += ms;
  }

  /** Runs the queues and advances the time until no request waits for a later time. */
  async runOut(): Promise<void> {
    for (let runs = 0; runs < 60; runs += 1) {
      const { slept } = this;
      await this.runner.run();
      const at = this.wakes.at(-1);
      if (this.slept > slept || at == null) return;
      this.now = Math.max(this.now, at);
    }
  }

  async connect(connection: Connection, apiKey = `key-${connection.id}`): Promise<void> {
    this.#services.set(connection.baseUrl, connection.service);
    await this.store.updateAll((all) => ({
      all: {
        queues: [...all.queues.filter((queue) => queue.connection.id !== connection.id), newQueue(connection)],
        apiKeys: new Map(all.apiKeys).set(connection.id, apiKey),
      },
      result: null,
    }));
  }

  async accept(...ids: string[]): Promise<void> {
    for (const id of ids) await this.shorten({ id });
  }

  shorten(order: Partial<ShortenCommand> & { id: string }, part: Partial<Parameters<typeof shorten>[1]> = {}) {
    return this.commands.shorten({
      orders: [{ url: `https://x.example/${order.id}`, title: order.id, ...order }],
      connectionId: null,
      options: NO_OPTIONS,
      anew: false,
      source: 'popup',
      ...part,
    });
  }

  async queue(id = 'c'): Promise<Queue> {
    const queue = await this.store.queue(id);
    if (!queue) throw new Error(`There is no queue ${id}.`);
    return queue;
  }

  async requests(id = 'c') {
    return (await this.queue(id)).requests;
  }

  async links(): Promise<string[]> {
    const database = byPromises(await openDatabase());
    const keys = (await database.getAllKeys('links')).map(String);
    database.close();
    return keys;
  }
}

/** Returns the commands of users about requests and queues. */
function commandsOf(context: WorkerContext) {
  return {
    shorten: (command: Parameters<typeof shorten>[1]) => shorten(context, command),
    cancel: (ids: string[]) => cancelRequests(context, ids),
    retry: (id: string) => changeQueues(context, (queues) => queues.map((queue) => retry(queue, id, context.newId()))),
    setPaused: (id: string, isPaused: boolean) => changeQueue(context, id, (queue) => setPaused(queue, isPaused)),
    tryNow: (id: string) => changeQueue(context, id, tryNow),
  };
}

export const SPEC_ONLY: Connection = { ...specOnly, serviceReadAt: NOW - 60_000 };

export const FULL: Connection = {
  ...SPEC_ONLY,
  service: {
    name: 'Full',
    shortBaseUrl: 'https://s.example',
    features: ['idempotency', 'batch', 'item-idempotency', 'links'],
  },
};

/** Result of a probe of a healthy service that reports no limits. */
export const WELL = well();

/**
 * Creates a background worker with a connection, either to a service that only follows the specification or to a
 * service with all features.
 */
export async function connected(kind: 'spec-only' | 'full' = 'spec-only', ms = 0): Promise<TestWorker> {
  const worker = new TestWorker(ms);
  await worker.connect(kind === 'full' ? FULL : SPEC_ONLY);
  return worker;
}

export function created(requestIds: string[]): AttemptResult {
  return answered(requestIds.map((id) => createdAt(`https://s.example/${id}`)));
}

export function answeredBy(
  { requestIds }: CreateRequest,
  item: RequestResult,
  part: Partial<AttemptResult> = {},
): AttemptResult {
  return answered(
    requestIds.map(() => item),
    part,
  );
}

export function lost(attempt: CreateRequest): AttemptResult {
  return answeredBy(attempt, { kind: 'unclear', code: 'no_answer', message: '' }, { answered: false });
}

export function serverError(attempt: CreateRequest): AttemptResult {
  return answeredBy(attempt, { kind: 'unclear', code: 'server_error', message: '' });
}

export function refusedAs(attempt: CreateRequest, code: 'unauthorized' | 'invalid_url' | 'redirected'): AttemptResult {
  return answeredBy(attempt, { kind: 'refused', code, message: '' });
}
