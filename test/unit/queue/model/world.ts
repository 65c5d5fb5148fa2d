import { enqueue } from '../../../../src/queue/accept-requests.ts';
import {
  connectionSaved,
  NO_OPTIONS,
  newQueue,
  reconnected,
} from '../../../../src/queue/add-replace-delete-connection.ts';
import { unblock } from '../../../../src/queue/block-reasons.ts';
import { cancel, networkReturned, retry, setPaused, tryNow } from '../../../../src/queue/cancel-retry-pause.ts';
import { recover } from '../../../../src/queue/crash-recovery.ts';
import { applyProbe } from '../../../../src/queue/results/apply-probe.ts';
import { generateMissingCodes } from '../../../../src/queue/short-code-generator.ts';
import type { Connection } from '../../../../src/queue/types.ts';
import { specOnly } from '../support/queue-builders.ts';
import { Computer } from './computer.ts';
import { ModelRunner, probeNow } from './runner.ts';
import type { ModelService } from './service.ts';

/** A simulated computer with a background worker, a database and a user. Its services have correct clocks. */
export class World extends Computer {
  readonly services: ModelService[];
  readonly #runner: ModelRunner = new ModelRunner(this);

  constructor(services: ModelService[], chance: () => number) {
    super(chance);
    this.services = services;
    for (const service of services) this.connect(service);
  }

  connect(service: ModelService): string {
    const id = this.newId('connection');
    const connection: Connection = { ...specOnly, id, baseUrl: service.baseUrl, serviceReadAt: null };
    this.logins.set(id, { service, apiKey: service.issueKey() });
    this.queues.set(id, newQueue(connection));
    this.save(id);
    return id;
  }

  /**
   * Saves a connection unchanged, with another API key, or with another service. As in the extension, saving tests
   * the connection.
   */
  save(id: string, other: 'same' | 'key' | ModelService = 'same'): void {
    const before = this.logins.get(id);
    if (!before) return;
    const service = typeof other === 'object' ? other : before.service;
    const login = other === 'same' ? before : { service, apiKey: service.issueKey() };
    const found = probeNow(this.now, login);
    if (found?.key === 'refused') return;
    this.logins.set(id, login);
    const isElsewhere = service !== before.service;
    this.update(id, isElsewhere ? 'move' : 'save', (queue, time) => {
      const { baseUrl } = service;
      const connection = { ...queue.connection, baseUrl };
      const newKey = () => this.newId('saved');
      const saved =
        other === 'same' ? connectionSaved(queue, connection, newKey) : reconnected(queue, connection, newKey);
      const probed = applyProbe(saved, found, time, this.chance());
      return generateMissingCodes(probed, this.generation('key').randomBytes);
    });
  }

  /** Removes a connection, and cancels its requests. */
  forget(id: string): void {
    const queue = this.queues.get(id);
    if (!queue) return;
    this.queues.delete(id);
    this.logins.delete(id);
    for (const request of queue.requests) this.chronicle.givenUp.add(request.id);
  }

  /** Accepts a request for a link. `name` determines the kind of URL. */
  accept(id: string, name: string, part: { groupId?: string | null } = {}): void {
    if (!this.queues.has(id)) return;
    const order = { id: name, url: `https://x.example/${name}`, title: name, options: NO_OPTIONS };
    const rest = { groupId: null, source: 'popup', ...part } as const;
    this.chronicle.accepted.add(name);
    this.update(id, 'accept', (queue, time) => enqueue(queue, [{ ...order, ...rest }], this.generation('key'), time));
  }

  cancel(id: string): void {
    for (const connectionId of this.queues.keys()) {
      this.update(connectionId, 'cancel', (queue) => {
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
      if (request.state === 'uncertain' || request.state === 'failed') this.chronicle.asked(id);
      this.update(connectionId, 'retry', (queue) => retry(queue, id, this.generation('again')));
    }
  }

  tryNow(id: string): void {
    this.update(id, 'try-now', (queue) => tryNow(queue));
  }

  setOnHold(id: string, isOnHold: boolean): void {
    this.update(id, 'hold', (queue) => setPaused(queue, isOnHold));
  }

  permit(service: ModelService, isPermitted: boolean): void {
    if (!isPermitted) {
      this.denied.add(service.baseUrl);
      return;
    }
    this.denied.delete(service.baseUrl);
    for (const [id, { connection }] of this.queues) {
      if (connection.baseUrl !== service.baseUrl) continue;
      this.update(id, 'grant', (queue) => ({ ...queue, state: unblock(queue.state, 'permission_granted') }));
    }
  }

  setOnline(online: boolean): void {
    this.online = online;
    if (online) for (const id of this.queues.keys()) this.update(id, 'online', networkReturned);
  }

  /** Kills the background worker and starts a new worker after `downFor` milliseconds. */
  restart(downFor: number): void {
    this.#runner.die();
    this.advance(this.now + downFor);
    for (const id of this.queues.keys()) this.update(id, 'recover', recover);
  }

  /** Lets the computer sleep and changes its clock by `jump`. Requests in flight are answered or lost. */
  sleep(ms: number, jump: number): void {
    this.#runner.fallAsleep();
    this.now += ms;
    this.clockError += jump;
    this.chronicle.isClockSet ||= jump !== 0;
    this.#runner.wakeUp();
  }

  /** Advances the true time by `ms` and runs each queue when it is due. */
  pass(ms: number): void {
    this.#runner.pass(ms);
  }
}
