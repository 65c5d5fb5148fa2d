import type { createBackground } from '../../../../src/background/create-background.ts';
import type { Message, Reply } from '../../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import { NOW } from '../../queue/support/queue-builders.ts';
import { diskNow } from './disk-now.ts';
import type { Gate } from './gate.ts';
import type { SweepService } from './service.ts';
import { Timers } from './timers.ts';

type Background = ReturnType<typeof createBackground>;

const HOME = 'chrome-extension://abcdefgh';
const POPUP = { id: 'abcdefgh', origin: HOME, url: `${HOME}/src/popup/index.html` };
/** Number of event loop turns without an external call after which the background worker counts as idle. */
const QUIET_TURNS = 8;
const HOUR = 3_600_000;

/** A simulated browser with a user, a service and one background worker at a time. */
export class World {
  readonly gate: Gate;
  readonly timers = new Timers(NOW);
  /** Requests that the background worker has confirmed as accepted, by id. */
  readonly accepted = new Set<string>();
  /** Descriptions of broken promises to the user. */
  readonly broken = new Set<string>();
  readonly service: SweepService;
  /** Time of the browser's alarm. The alarm survives the background worker. */
  alarmAt: number | null = null;
  readonly #create: () => Background;
  /** Number of sends that the database has recorded, now and at the time of the last POST. */
  #committed = 0;
  #charged = 0;
  /** Messages that the background worker did not answer successfully. */
  readonly #unanswered: Message[] = [];
  #background: Background | null = null;

  constructor(gate: Gate, service: SweepService, create: () => Background) {
    this.gate = gate;
    this.service = service;
    this.#create = create;
  }

  /** Asks the background worker to shorten a URL. */
  async shorten(id: string): Promise<void> {
    const orders = [{ id, url: `https://x.example/${id}`, title: id }];
    await this.ask({ type: 'shorten', orders, connectionId: null, options: NO_OPTIONS, anew: false });
  }

  /** Sends a message as an extension page does. Repeats the message once if no reply arrives. */
  async ask(message: Message): Promise<void> {
    const reply = (await this.#message(message)) ?? (await this.#message(message));
    if (!reply?.ok) this.#unanswered.push(message);
    else if (message.type === 'shorten') {
      for (const { id } of message.orders) this.accepted.add(id);
    }
  }

  async pass(ms: number): Promise<void> {
    const until = this.timers.now + ms;
    for (;;) {
      const next = Math.min(this.timers.next ?? until, this.alarmAt ?? until);
      if (next >= until) break;
      this.timers.now = Math.max(next, this.timers.now);
      this.timers.fire();
      if (this.alarmAt !== null && this.alarmAt <= this.timers.now) {
        this.alarmAt = null;
        this.#wake().onWake();
      }
      await this.#drain();
    }
    this.timers.now = until;
  }

  /** Ends all faults and replaces the background worker. The user repeats unanswered messages. */
  async recover(): Promise<void> {
    this.gate.disarm();
    this.gate.die();
    await this.#drain();
    this.#wake();
    await this.#drain();
    for (const message of this.#unanswered.splice(0)) await this.ask(message);
    if (this.#unanswered.length > 0) this.broken.add('every message succeeds after all faults have ended');
    await this.pass(HOUR);
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const { origin, pathname } = new URL(url);
    const headers = new Headers(init.headers);
    const method = init.method ?? 'GET';
    if (origin !== this.service.baseUrl) this.broken.add(`requests go only to the service, not to ${origin}`);
    if (method === 'POST') this.#expectCharge();
    const key = headers.get('idempotency-key') ?? '';
    const { status, json } = this.service.answer(method, pathname, key, String(init.body));
    return new Response(JSON.stringify(json), { status, headers: { 'content-type': 'application/json' } });
  }

  committed(): void {
    this.#committed = diskNow().queues[0]?.limits.sends.length ?? 0;
  }

  #expectCharge(): void {
    if (this.#committed <= this.#charged) this.broken.add('a send is charged before it leaves the computer');
    this.#charged = this.#committed;
  }

  async #message(message: Message): Promise<Reply<unknown> | undefined> {
    const background = this.#wake();
    let reply: Reply<unknown> | undefined;
    const answered = (value: unknown) => {
      reply = value as Reply<unknown>;
    };
    const asked = async () => background.onMessage(message, POPUP);
    void this.gate.call(`message ${message.type}`, asked).then(answered, () => undefined);
    await this.#drain();
    return reply;
  }

  #wake(): Background {
    if (this.#background) return this.#background;
    this.#background = this.#create();
    void this.#background.start().catch(() => undefined);
    return this.#background;
  }

  /** Waits until the background worker is idle, and removes the worker if it has died. */
  async #drain(): Promise<void> {
    let seen = -1;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      if (this.gate.activity !== seen) quiet = 0;
      seen = this.gate.activity;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!this.gate.isDead) return;
    this.timers.clear();
    this.#background = null;
    this.gate.revive();
  }
}
