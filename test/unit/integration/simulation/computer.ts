import { IDBFactory } from 'fake-indexeddb';
import type { createBackground } from '../../../../src/background/create-background.ts';
import type { Message, Reply } from '../../../../src/messages/protocol.ts';
import { StorageArea } from '../../support/fake-browser.ts';
import type { Agenda, PendingWork } from './agenda.ts';
import { FAULTS, Gate } from './gate.ts';

export type Background = ReturnType<typeof createBackground>;

const HOME = 'chrome-extension://abcdefgh';
const POPUP = { id: 'abcdefgh', origin: HOME, url: `${HOME}/src/popup/index.html` };
const MEMORY_QUOTA = 10 * 1024 * 1024;
/** Time after its last work after which a browser may stop a background worker. */
const IDLE_MS = 30_000;
/** Maximum number of external calls before a planned fault. One request needs about 60 calls. */
const MAX_CALLS_BEFORE_FAULT = 120;

export interface ComputerParts {
  name: string;
  agenda: Agenda;
  work: PendingWork;
  chance: () => number;
  create: () => Background;
  /** Runs `run` with the global functions of this computer. */
  enter: (computer: Computer, run: () => void) => void;
  /** Called after everything that the computer does. */
  onSettled: (computer: Computer) => void;
}

/**
 * A computer with a disk, clocks and a browser, which starts and stops the real background worker of the extension.
 * The worker dies with the browser, or at any call of the database or the browser.
 */
export class Computer {
  readonly name: string;
  readonly gate = new Gate();
  readonly disk = new IDBFactory();
  readonly session = new StorageArea('session', MEMORY_QUOTA, new Set());
  readonly local = new StorageArea('local', MEMORY_QUOTA, new Set());
  readonly agenda: Agenda;
  state: 'on' | 'asleep' | 'off' = 'off';
  online = true;
  /** Difference in milliseconds between the computer's clock and the true time. */
  clockError = 0;
  /** Number of background workers so far. Work of an earlier worker has no effect. */
  life = 0;
  readonly #parts: ComputerParts;
  readonly #timers = new Set<number>();
  #background: Background | null = null;
  #timerIds = 0;
  /** Version of the browser's alarm. An event of an older version has no effect. */
  #alarm = 0;
  #asleepMs = 0;
  #sleptAt = 0;
  #lastActive = 0;
  /** Work that arrived while the computer was asleep. */
  #deferred: { life: number; run: () => void }[] = [];
  #hasCommitted = false;

  constructor(parts: ComputerParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.agenda = parts.agenda;
  }

  get wallClock(): number {
    return this.agenda.now + this.clockError;
  }

  /** Clock that stops while the computer sleeps. */
  get monotonicClock(): number {
    return this.agenda.now - this.#asleepMs - (this.state === 'asleep' ? this.agenda.now - this.#sleptAt : 0);
  }

  get isRunning(): boolean {
    return this.#background !== null;
  }

  setTimeout(run: () => void, ms = 0, everyMs: number | null = null): number {
    this.#timerIds += 1;
    const id = this.#timerIds;
    this.#timers.add(id);
    const fire = () => {
      if (!this.#timers.has(id)) return;
      if (everyMs === null) this.#timers.delete(id);
      else this.#later(everyMs, fire);
      run();
    };
    this.#later(Math.max(ms, 0), fire, () => this.#timers.has(id));
    return id;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  async setAlarm(delayMs: number, periodMs: number): Promise<void> {
    this.#alarm += 1;
    const alarm = this.#alarm;
    const fire = async () => {
      if (alarm !== this.#alarm) return;
      if (this.state === 'on') {
        this.agenda.add(this.agenda.now + periodMs, fire);
        await this.wakeUp();
      } else this.#missedAlarm = fire;
    };
    this.agenda.add(this.agenda.now + delayMs, fire);
  }

  clearAlarm(): void {
    this.#alarm += 1;
  }

  #missedAlarm: (() => Promise<void>) | null = null;

  /** Runs work of the current background worker later. If the worker has died by then, nothing runs. */
  runLater(ms: number, run: () => void): void {
    this.#later(ms, run);
  }

  /** Starts the background worker if it is not running, and runs `work` in it. */
  async act(work: (background: Background) => void): Promise<void> {
    if (this.state !== 'on') return;
    const isIdle = this.agenda.now - this.#lastActive > IDLE_MS;
    if (isIdle && this.#background && this.#parts.chance() < 0.5) this.kill();
    await this.#run(() => work(this.#start()));
  }

  /** Tells the background worker that the browser's alarm has gone off. */
  wakeUp(): Promise<void> {
    return this.act((background) => background.onWake());
  }

  /** Sends a message as a page of the extension does. The reply may come later, or never if the worker dies. */
  async ask(message: Message, onReply: (reply: Reply<unknown>) => void): Promise<void> {
    await this.act((background) => {
      const { life } = this;
      const answered = (reply: unknown) => {
        if (life === this.life && !this.gate.isDead) onReply(reply as Reply<unknown>);
      };
      Promise.resolve(background.onMessage(message, POPUP)).then(answered, () => undefined);
    });
  }

  /** Makes one of the next calls of the database or the browser fail, or makes the worker die at this call. */
  planFault(): void {
    const how = FAULTS[Math.floor(this.#parts.chance() * FAULTS.length)] ?? 'dies';
    this.gate.arm({ at: 1 + Math.floor(this.#parts.chance() * MAX_CALLS_BEFORE_FAULT), how });
  }

  async turnOn(): Promise<void> {
    if (this.state === 'on') return;
    const wasAsleep = this.state === 'asleep';
    if (wasAsleep) this.#asleepMs += this.agenda.now - this.#sleptAt;
    this.state = 'on';
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const { life, run } of deferred) if (life === this.life) await this.#run(run);
    const missed = this.#missedAlarm;
    this.#missedAlarm = null;
    if (missed) await missed();
    else if (!wasAsleep) await this.wakeUp();
  }

  sleep(): void {
    if (this.state !== 'on') return;
    this.state = 'asleep';
    this.#sleptAt = this.agenda.now;
  }

  /** Closes the browser, or cuts the power. */
  turnOff(): void {
    if (this.state === 'asleep') this.#asleepMs += this.agenda.now - this.#sleptAt;
    this.state = 'off';
    this.kill();
    this.session.clear();
  }

  kill(): void {
    this.gate.die();
    this.#bury();
  }

  committed(): void {
    this.#hasCommitted = true;
  }

  /** True if the disk has changed since the last call. */
  takeCommitted(): boolean {
    const has = this.#hasCommitted;
    this.#hasCommitted = false;
    return has;
  }

  #later(ms: number, run: () => void, isStillNeeded = () => true): void {
    const { life } = this;
    this.agenda.add(this.agenda.now + ms, async () => {
      if (life !== this.life || !isStillNeeded()) return;
      if (this.state === 'asleep') this.#deferred.push({ life, run });
      else if (this.state === 'on') await this.#run(run);
    });
  }

  #start(): Background {
    if (this.#background) return this.#background;
    this.#background = this.#parts.create();
    void this.#background.start().catch(() => undefined);
    return this.#background;
  }

  async #run(work: () => void): Promise<void> {
    this.#parts.enter(this, work);
    await this.#parts.work.settled();
    this.#lastActive = this.agenda.now;
    if (this.gate.isDead) this.#bury();
    this.#parts.onSettled(this);
  }

  #bury(): void {
    this.#background = null;
    this.#timers.clear();
    this.#deferred = [];
    this.life += 1;
    this.gate.disarm();
    this.gate.revive();
  }
}
