import type { Chance } from '../../../../scripts/torture/random-choices.ts';
import type { Message } from '../../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import type { Computer } from './computer.ts';
import { diskNow } from './disk-now.ts';
import { type Network, WEATHERS } from './network.ts';
import { type Order, type Promises, shortUrlOfWaiting } from './promises.ts';
import { BASE_URL, BLOCKED_HOST } from './service.ts';
import { tell } from './tell-background.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Times of the day at which both users often work, in milliseconds after the start of a simulated day. */
const OFFICE_HOUR = 23 * HOUR;
const BEFORE_MIDNIGHT = 14 * HOUR + 20 * MINUTE;

export interface UserParts {
  computer: Computer;
  chance: Chance;
  network: Network;
  promises: Promises;
  /** True if the user works most days. */
  isBusy: boolean;
  /** Runs `read` while the database functions read this computer's disk. */
  look: <T>(read: () => T) => T;
  trace: (text: string) => void;
}

/** A user who shortens links, and whose computer, network and browser fail now and then. */
export class User {
  readonly #parts: UserParts;
  #asked = 0;
  #hasPaused = false;

  constructor(parts: UserParts) {
    this.#parts = parts;
  }

  async connect(apiKey: string): Promise<void> {
    const { computer } = this.#parts;
    await computer.turnOn();
    const message = { type: 'save-connection', connectionId: null, name: '', baseUrl: BASE_URL, apiKey } as const;
    await tell(computer, message, () => {});
  }

  /** Plans the sessions of one day, with everything that happens in them. */
  planDay(): void {
    const { computer, chance, isBusy } = this.#parts;
    const sessions = chance.pick(isBusy ? ([0, 1, 1, 2] as const) : ([0, 0, 0, 1, 1] as const));
    for (let session = 0; session < sessions; session += 1) {
      const length = chance.pick([2 * MINUTE, 20 * MINUTE, 20 * MINUTE, 2 * HOUR] as const);
      const start = chance.pick([chance.between(0, DAY - length), OFFICE_HOUR, BEFORE_MIDNIGHT] as const);
      const during = () => start + chance.between(0, length);
      this.#at(start, () => this.#begin());
      if (chance.next() < 0.7) this.#changeWeather(start + chance.between(0, 10 * SECOND), chance.between(0, length));
      if (chance.next() < 0.5) this.#at(during(), () => computer.planFault());
      if (chance.next() < 0.15) this.#at(during(), () => this.#loseNetwork(chance.between(SECOND, 5 * MINUTE)));
      if (chance.next() < 0.05) this.#at(during(), () => this.#setClock());
      for (let actions = chance.between(0, 4); actions > 0; actions -= 1) {
        const at = chance.next() < 0.3 ? start + chance.between(0, 20 * SECOND) : during();
        this.#at(at, () => this.#act());
        if (chance.next() < 0.2) this.#at(at + chance.between(0, 2 * SECOND), () => computer.kill());
      }
      this.#at(start + length, () => (chance.next() < 0.5 ? computer.sleep() : computer.turnOff()));
    }
  }

  async shortenOne(): Promise<void> {
    await this.#begin();
    await this.#shorten(1);
    this.#at(5 * MINUTE, () => this.#parts.computer.sleep());
  }

  /** Ends all faults, and resumes what the user has paused. */
  async recover(): Promise<void> {
    const { computer, network } = this.#parts;
    network.weather.set(computer, 'fair');
    computer.online = true;
    computer.turnOff();
    await this.keepOn(HOUR);
    await computer.turnOn();
    await this.#resume();
  }

  /** The user reads the error of each blocked queue, and tries again. */
  tryAgain(): Promise<void> {
    return this.#forEachQueue((connectionId) => ({ type: 'try-now', connectionId }));
  }

  /** Leaves the computer on for some time, and then puts it to sleep. */
  async keepOn(ms: number): Promise<void> {
    const { computer } = this.#parts;
    await computer.turnOn();
    this.#at(ms, () => computer.sleep());
  }

  #at(ms: number, run: () => void | Promise<void>): void {
    const { agenda } = this.#parts.computer;
    agenda.add(agenda.now + ms, run);
  }

  async #begin(): Promise<void> {
    const { computer, chance } = this.#parts;
    if (computer.state === 'on') return;
    if (chance.next() < 0.06) this.#setClock();
    await computer.turnOn();
    if (this.#hasPaused && chance.next() < 0.7) await this.#resume();
  }

  #setClock(): void {
    const { computer, chance, promises, trace } = this.#parts;
    const jump = chance.pick([-HOUR, HOUR, -DAY, DAY, 40 * SECOND, -40 * SECOND] as const);
    computer.clockError = computer.clockError === 0 ? jump : 0;
    promises.clockSet(computer);
    trace(`${computer.name} sets its clock by ${computer.clockError}`);
  }

  #changeWeather(from: number, ms: number): void {
    const { computer, chance, network } = this.#parts;
    this.#at(from, () => void network.weather.set(computer, chance.pick(WEATHERS)));
    this.#at(from + ms, () => void network.weather.set(computer, 'fair'));
  }

  async #loseNetwork(ms: number): Promise<void> {
    const { computer } = this.#parts;
    computer.online = false;
    this.#at(ms, async () => {
      computer.online = true;
      await computer.act((background) => void background.onOnline().catch(() => undefined));
    });
  }

  async #act(): Promise<void> {
    const { chance, computer } = this.#parts;
    if (computer.state !== 'on') return;
    const dice = chance.next();
    if (dice < 0.58) await this.#shorten(1);
    else if (dice < 0.68) await this.#shorten(chance.between(2, 12));
    else if (dice < 0.75) this.#shortenMany();
    else if (dice < 0.81) await this.#cancel();
    else if (dice < 0.86) await this.#pause();
    else if (dice < 0.92) await this.tryAgain();
    else await this.#retry();
  }

  /** Shortens enough pages in a row to use up the quota of the day. */
  #shortenMany(): void {
    const { chance } = this.#parts;
    let ms = 0;
    for (let count = chance.between(10, 28); count > 0; count -= 1) {
      this.#at(ms, () => this.#shorten(1));
      ms += chance.between(SECOND, 15 * SECOND);
    }
  }

  async #shorten(count: number): Promise<void> {
    const { chance, computer, promises, trace } = this.#parts;
    if (computer.state !== 'on') return;
    const orders = Array.from({ length: count }, () => {
      this.#asked += 1;
      const name = `${computer.name}-${this.#asked}`;
      const host = chance.next() < 0.04 ? BLOCKED_HOST : 'x.example';
      return { id: `request-${name}`, url: `https://${host}/${name}`, title: name };
    });
    const known = new Map<string, Order>(orders.map(({ id, url }) => [id, promises.add(computer, id, url)]));
    // Both users choose from the same few short codes, so that some are taken.
    const shortCode = count === 1 && chance.next() < 0.06 ? `chosen-${chance.between(1, 40)}` : null;
    const copies = count === 1 && chance.next() < 0.4;
    trace(`${computer.name} asks for ${orders.map(({ id }) => id).join()}`);
    const options = { ...NO_OPTIONS, shortCode };
    const message = { type: 'shorten', orders, connectionId: null, options, anew: false } as const;
    await tell(computer, { ...message, orders }, (value) => {
      const { refused } = value as { refused: { orderId: string }[] };
      const lost = new Set(refused.map(({ orderId }) => orderId));
      for (const [id, order] of known) if (!lost.has(id)) order.state = 'accepted';
      const [first] = known.values();
      if (copies && first) this.#at(chance.between(1, 2 * SECOND), () => this.#copy(first));
    });
  }

  /** Copies the short URL of a request that may not have a link yet. */
  #copy(order: Order): void {
    order.copied = this.#parts.look(() => shortUrlOfWaiting(order.id));
  }

  async #cancel(): Promise<void> {
    const order = this.#pickRequest(() => true);
    if (!order) return;
    const { computer } = this.#parts;
    const { state } = order;
    // Until the reply arrives, the request may be canceled or not.
    order.state = 'unconfirmed';
    await tell(
      computer,
      { type: 'cancel', ids: [order.id] },
      () => {
        order.state = 'canceled';
      },
      () => {
        order.state = state;
      },
    );
  }

  async #retry(): Promise<void> {
    const { chance, computer, look } = this.#parts;
    const state = chance.pick(['failed', 'uncertain'] as const);
    const order = this.#pickRequest((one) => one === state);
    if (!order) return;
    if (state === 'uncertain') order.riskedDuplicates += 1;
    const request = look(() => diskNow().requests.find(({ id }) => id === order.id));
    // The failure told the user that the copied short URL belongs to another link.
    if (request?.problem?.code === 'generated_code_taken') order.copied = null;
    await tell(
      computer,
      { type: 'retry', id: order.id, isUncertain: state === 'uncertain' },
      () => {},
      () => {},
      1,
    );
  }

  async #pause(): Promise<void> {
    this.#hasPaused = true;
    await this.#forEachQueue((connectionId) => ({ type: 'set-paused', connectionId, isPaused: true }));
  }

  async #resume(): Promise<void> {
    this.#hasPaused = false;
    await this.#forEachQueue((connectionId) => ({ type: 'set-paused', connectionId, isPaused: false }));
  }

  #pickRequest(isWanted: (state: string) => boolean): Order | undefined {
    const { chance, promises, look } = this.#parts;
    const ids = look(() => diskNow().requests.flatMap(({ id, state }) => (isWanted(state) ? [id] : [])));
    const index = chance.between(0, Math.max(0, ids.length - 1));
    return promises.orders.get(ids[index] ?? '');
  }

  async #forEachQueue(messageFor: (connectionId: string) => Message): Promise<void> {
    const { computer, look } = this.#parts;
    const ids = look(() => diskNow().connections.map(({ id }) => id));
    for (const id of ids) await tell(computer, messageFor(id), () => {});
  }
}
