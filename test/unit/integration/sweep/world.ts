import type { createBackground } from '../../../../src/background/create-background.ts';
import type { Message, PrivateRequest, Reply } from '../../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import { promisedShortUrl } from '../../../../src/queue/codes.ts';
import type { ModelService } from '../../queue/model/service.ts';
import { NOW } from '../../queue/support/queue-builders.ts';
import { browser } from '../../support/fake-browser.ts';
import { answerHttp } from '../http-answer.ts';
import { diskNow } from './disk-now.ts';
import type { Gate } from './gate.ts';
import { Timers } from './timers.ts';

type Background = ReturnType<typeof createBackground>;

const HOME = 'chrome-extension://abcdefgh';
const POPUP = { id: 'abcdefgh', origin: HOME, url: `${HOME}/src/popup/index.html` };
/** Number of event loop turns without an external call after which the background worker counts as idle. */
const QUIET_TURNS = 8;
const HOUR = 3_600_000;

/** A simulated browser with a user, several services and one background worker at a time. */
export class World {
  readonly gate: Gate;
  readonly timers = new Timers(NOW);
  /** Requests that the background worker has confirmed as accepted, by id. */
  readonly accepted = new Set<string>();
  /** Short URLs that the user copied before the service had created them, by request id. */
  readonly copied = new Map<string, string>();
  /** Descriptions of broken promises to the user. */
  readonly broken = new Set<string>();
  readonly services: ModelService[] = [];
  online = true;
  /** Time of the browser's alarm. The alarm survives the background worker. */
  alarmAt: number | null = null;
  readonly #create: () => Background;
  /** API keys that the user entered, by service address. */
  readonly #keys = new Map<string, string[]>();
  /** Number of sends that the database has recorded, by service address. */
  readonly #committed = new Map<string, number>();
  /** Number of recorded sends at the time of the last POST, by service address. */
  readonly #charged = new Map<string, number>();
  /** Messages that the background worker did not answer successfully. */
  readonly #unanswered: Message[] = [];
  #background: Background | null = null;
  #hasPrivate = false;

  constructor(gate: Gate, create: () => Background) {
    this.gate = gate;
    this.#create = create;
  }

  addService(service: ModelService, apiKey = service.issueKey()): string {
    this.services.push(service);
    this.#keys.set(service.baseUrl, [apiKey]);
    return apiKey;
  }

  /** Asks the background worker to shorten `https://x.example/` plus each id. */
  async shorten(ids: string[], part: { connectionId?: string } = {}): Promise<void> {
    const orders = ids.map((id) => ({ id, url: `https://x.example/${id}`, title: id }));
    const rest = { connectionId: null, options: NO_OPTIONS, anew: false, ...part };
    await this.ask({ type: 'shorten', orders, ...rest });
  }

  /** Asks the background worker once to shorten `https://hidden.example/` plus the id, as a popup in a private window. */
  async shortenPrivately(id: string): Promise<void> {
    this.#hasPrivate = true;
    const command = { id, url: `https://hidden.example/${id}`, title: id };
    const rest = { connectionId: null, options: null, anew: false };
    const plan = await this.#message({ type: 'prepare-privately', ...command, ...rest });
    if (plan?.ok) await this.#message({ type: 'send-privately', ...(plan.value as unknown as PrivateRequest) });
  }

  /** Sends a message as an extension page does. Repeats the message once if no reply arrives. */
  async ask(message: Message): Promise<void> {
    const reply = (await this.#message(message)) ?? (await this.#message(message));
    if (!reply?.ok) this.#unanswered.push(message);
    else if (message.type === 'shorten') {
      for (const { id } of message.orders) this.accepted.add(id);
    }
  }

  copyEarly(id: string): void {
    const { requests, connections } = diskNow();
    const request = requests.find((one) => one.id === id);
    const connection = connections.find((one) => one.id === request?.connectionId);
    const shortUrl = request && connection ? promisedShortUrl(request, connection) : null;
    if (shortUrl !== null) this.copied.set(id, shortUrl);
  }

  async event(happens: (background: Background) => unknown): Promise<void> {
    void Promise.resolve(happens(this.#wake())).catch(() => undefined);
    await this.#drain();
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
    for (const service of this.services) service.weather = 'fair';
    this.online = true;
    this.#wake();
    await this.#drain();
    for (const message of this.#unanswered.splice(0)) await this.ask(message);
    if (this.#unanswered.length > 0) this.broken.add('every message succeeds after all faults have ended');
    await this.pass(HOUR);
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    if (!this.online) throw new TypeError('There is no network.');
    const { origin, pathname } = new URL(url);
    const headers = new Headers(init.headers);
    const apiKey = headers.get('authorization')?.replace('Bearer ', '') ?? '';
    const service = this.services.find(({ baseUrl }) => baseUrl === origin);
    if (apiKey !== '' && !this.#keys.get(origin)?.includes(apiKey)) {
      this.broken.add(`a key is sent only to its own address, not to ${origin}`);
    }
    const method = init.method ?? 'GET';
    if (method === 'POST') this.#expectCharge(origin);
    const idempotencyKey = headers.get('idempotency-key') ?? '';
    const request = { method, path: pathname, apiKey, idempotencyKey, body: String(init.body) };
    const answer = service && answerHttp(service, this.timers.now, request);
    if (!answer) throw new TypeError('No answer comes.');
    return new Response(JSON.stringify(answer.json), answer);
  }

  committed(): void {
    const disk = diskNow();
    for (const { id, baseUrl } of disk.connections) {
      const queue = disk.queues.find(({ connectionId }) => connectionId === id);
      this.#committed.set(baseUrl, queue?.limits.sends.length ?? 0);
    }
    if (this.#hasPrivate && disk.text().includes('hidden')) this.broken.add('no data of a private window is on disk');
  }

  #expectCharge(origin: string): void {
    const charged = this.#committed.get(origin) ?? 0;
    if (charged <= (this.#charged.get(origin) ?? 0)) this.broken.add('a send is charged before it leaves the computer');
    this.#charged.set(origin, charged);
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

  /** The browser's in-memory storage as one text for searching. */
  get memory(): string {
    return browser.storage.session.dump();
  }
}
